import { projectFolders } from "../../lib/folders-up.js";
import { realPath } from "../../lib/real-path.js";
import { mainWorkTree } from "./project-root.js";

/** What the user thinks of a project. */
export type TrustLevel = "trusted" | "untrusted";

/** The trust a folder has, and the path that says so, or that would have to. */
export interface TrustDecision {
  level: TrustLevel | undefined;
  path: string;
}

/** A project, as far as trust goes. */
export interface TrustedPlaces {
  /** The folders from its top to the working folder. */
  folders: readonly string[];
  /** For one of these folders: what is said of itself, of the project's top, of the repository. */
  trustOf(folder: string): TrustDecision;
}

/** What the user says of a path, and of nothing else. */
export type TrustAt = (path: string) => TrustLevel | undefined;

/** Looks at the project around a folder. */
export function findTrustedPlaces(
  trustAt: TrustAt,
  cwd: string,
  markers: readonly string[],
): TrustedPlaces {
  const folders = projectFolders(cwd, markers);
  const top = folders[0] ?? cwd;
  return {
    folders,
    trustOf(folder) {
      for (const find of [() => folder, () => top, () => mainWorkTree(cwd)]) {
        const path = find();
        const level = path === undefined ? undefined : levelOf(path, trustAt);
        if (path !== undefined && level !== undefined) return { level, path };
      }
      return { level: undefined, path: mainWorkTree(cwd) ?? top };
    },
  };
}

/** What the user thinks of the project around a folder. */
export function trustLevelOf(
  { projects, project_root_markers }: TrustSettings,
  folder: string,
): TrustLevel | undefined {
  const places = findTrustedPlaces((path) => projects.get(path), folder, project_root_markers);
  return places.trustOf(folder).level;
}

/** The settings that trust depends on. */
export interface TrustSettings {
  projects: ReadonlyMap<string, TrustLevel>;
  project_root_markers: readonly string[];
}

function levelOf(path: string, trustAt: TrustAt): TrustLevel | undefined {
  const levels = [path, realPath(path)].map(trustAt);
  return levels.includes("untrusted") ? "untrusted" : levels.find((level) => level !== undefined);
}
