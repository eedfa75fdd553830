import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { realPath } from "../../lib/files.js";
import { checkSource } from "../check/report.js";
import {
  findTrustedPlaces,
  type TrustDecision,
  type TrustedPlaces,
  type TrustLevel,
} from "../project/trust.js";
import { mayBring } from "../project/trust-gate.js";
import { defaults } from "../schema/defaults.generated.js";
import { newTable, type Table, valueAt } from "../toml/table.js";
import { type ConfigLayer, mergeTables } from "./layer.js";
import { namedToTable, type Override, overridesToTable } from "./overrides.js";
import { type FileContent, readConfigFile } from "./read-file.js";

/** Sources of the layers. */
interface LayerSources {
  home: string;
  /** Working directory; undefined reads no project files. */
  cwd?: string | undefined;
  /** Directory of system-wide files. */
  systemFolder: string;
  /** Overrides of the command line, `-c key=value`. */
  flags: readonly Override[];
  /** Values of the caller by name; they override `flags`. */
  overrides: Readonly<Record<string, unknown>>;
  /** Reads no files except for those of the administrator, to continue with defaults after an error. */
  ignoreFiles: boolean;
  /** Skips the user's file. */
  ignoreUserFile: boolean;
}

/** Layers in ascending precedence, with their project. */
export interface ReadLayers {
  /** The layers of settings, the weakest first. */
  layers: ConfigLayer[];
  /** Problems that do not prevent a start, for the user. */
  warnings: string[];
  /** Keys without effect. */
  ignored: string[];
  /** Values of `sessionFlags` by source: options of the command line, then those of the caller. */
  given: readonly Table[];
  /** Merged values of all layers except projects, for decisions reserved to the user. */
  ownValues: Table;
  /** Trust level of the working directory. */
  trust: TrustLevel | undefined;
  /** Root of the project of the working directory. */
  projectTop: string | undefined;
}

/** Reads all layers; a missing file yields an empty one. */
export async function readLayers(sources: LayerSources): Promise<ReadLayers> {
  const files = {
    system: join(sources.systemFolder, "config.toml"),
    user: join(sources.home, "config.toml"),
    managed: join(sources.systemFolder, "managed_config.toml"),
  };
  const read = sources.ignoreFiles ? noContent : readConfigFile;
  const [system, user, managed] = await Promise.all([
    read(files.system),
    sources.ignoreUserFile ? noContent() : read(files.user),
    readConfigFile(files.managed),
  ]);
  const flags = givenValues(sources);
  const ownValues = mergeTables([system.values, user.values, flags.values, managed.values]);
  const project = await readProjects(sources, ownValues);
  const layers: ConfigLayer[] = [
    { source: { type: "system", file: files.system }, values: system.values },
    { source: { type: "user", file: files.user }, values: user.values },
    ...project.layers,
  ];
  if (!isEmpty(flags.values)) {
    layers.push({ source: { type: "sessionFlags" }, values: flags.values });
  }
  if (!isEmpty(managed.values)) {
    const source = { type: "legacyManagedConfigTomlFromFile", file: files.managed } as const;
    layers.push({ source, values: managed.values });
  }
  const parts = [system, user, project, flags, managed];
  const ignored = parts.flatMap((part) => part.ignored);
  const { warnings } = project;
  const { given } = flags;
  const { trust, top: projectTop } = project;
  return { layers, warnings, ignored, given, ownValues, trust, projectTop };
}

function givenValues({ flags, overrides }: LayerSources): FileContent & { given: Table[] } {
  const given = [overridesToTable(flags), namedToTable(overrides)];
  const names = ["-c", "settings of the session"];
  const ignored = given.flatMap((values, index) =>
    checkSource(values, { name: names[index] ?? "" }),
  );
  return { values: mergeTables(given), ignored, given };
}

async function readProjects({ cwd, home, ignoreFiles }: LayerSources, ownValues: Table) {
  if (cwd === undefined || ignoreFiles) {
    return { layers: [], warnings: [], ignored: [], trust: undefined, top: undefined };
  }
  const markers = valueAt(ownValues, ["project_root_markers"]);
  const places = findTrustedPlaces(
    (path) => valueAt(ownValues, ["projects", path, "trust_level"]) as TrustLevel | undefined,
    cwd,
    (markers as string[] | undefined) ?? defaults.ConfigToml.project_root_markers,
  );
  const read = await readProjectLayers(places, home);
  const trust = ownValues.projects === undefined ? undefined : places.trustOf(cwd).level;
  return { ...read, trust, top: places.folders[0] };
}

async function noContent(): Promise<FileContent> {
  return { values: newTable(), ignored: [] };
}

function isEmpty(table: Table): boolean {
  return Object.keys(table).length === 0;
}

/**
 * Reads the files of the project around the working directory, starting at its root.
 *
 * Does not open files of an untrusted project; their layer has the reason.
 */
async function readProjectLayers(
  places: TrustedPlaces,
  home: string,
): Promise<{ layers: ConfigLayer[]; warnings: string[]; ignored: string[] }> {
  const layers: ConfigLayer[] = [];
  const warnings: string[] = [];
  const ignored: string[] = [];
  for (const folder of places.folders) {
    const dotCodexFolder = join(folder, ".codex");
    if (!isFolder(dotCodexFolder) || realPath(dotCodexFolder) === realPath(home)) continue;
    const source = { type: "project", dotCodexFolder } as const;
    const file = join(dotCodexFolder, "config.toml");
    const trust = places.trustOf(folder);
    const hasContent = existsSync(file) || existsSync(join(dotCodexFolder, "hooks.json"));
    if (mayBring("settings", trust.level) || !hasContent) {
      const content = await readConfigFile(file);
      const trusted = trust.level === "trusted" ? { isTrusted: true as const } : {};
      layers.push({ source, values: content.values, ...trusted });
      ignored.push(...content.ignored);
    } else {
      const disabledReason = whyDisabled(trust, join(home, "config.toml"));
      layers.push({ source, values: newTable(), disabledReason });
      if (trust.level === undefined) warnings.push(disabledReason);
    }
  }
  return { layers, warnings, ignored };
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

function whyDisabled({ level, path }: TrustDecision, userFile: string): string {
  return level === "untrusted"
    ? `${path} is marked untrusted in ${userFile}, so its config is not read.`
    : `${path} is not a trusted project, so its config is not read; set its trust_level in ${userFile}.`;
}
