import { existsSync } from "node:fs";
import { dirname, sep } from "node:path";
import type { ConfigEdit } from "../../config/index.js";
import { realPath } from "../../lib/files.js";
import type { ExternalAgentItemType } from "../../protocol/rpc/v2/external-agent.js";

/** Places that an import reads and writes. */
export interface ImportPlaces {
  /** Home directory of the user. */
  userHome: string;
  /** Home directory of the config. */
  home: string;
  /** Project folder; undefined for the settings of the user. */
  cwd: string | undefined;
}

/** Names that the config has already. */
export interface KnownNames {
  servers: ReadonlySet<string>;
  /** Variables for commands of the agent. */
  variables: ReadonlySet<string>;
}

/** A file that is created, keys that are added to the user's config, or a folder that is copied. */
export type PlannedWrite = {
  /** File that the settings are from. */
  source: string;
  path: string;
} & ({ text: string } | { edits: readonly ConfigEdit[] } | { copyFrom: string });

/** Settings of one kind in one place, with the files that importing them writes. */
export interface PlannedItem {
  type: ExternalAgentItemType;
  cwd: string | undefined;
  description: string;
  /** Names of its parts. */
  names: readonly string[];
  writes: readonly PlannedWrite[];
  /** Parts that are left out, with the reason. */
  skipped: readonly string[];
}

/** Collects the writes of an item; files that exist are left out. */
export class Draft {
  readonly #places: ImportPlaces;
  readonly names: string[] = [];
  readonly writes: PlannedWrite[] = [];
  readonly skipped: string[] = [];

  constructor(places: ImportPlaces) {
    this.#places = places;
  }

  /** Adds a write unless its file exists, or an earlier part of the draft writes it. */
  add(name: string, write: PlannedWrite): void {
    if (existsSync(write.path) || this.writes.some(({ path }) => path === write.path)) {
      this.skip(name, `${write.path} exists`);
      return;
    }
    const { cwd } = this.#places;
    if (cwd !== undefined && !isInside(write.path, cwd)) {
      this.skip(name, `${write.path} leads out of the project`);
      return;
    }
    this.names.push(name);
    this.writes.push(write);
  }

  skip(name: string, reason: string): void {
    this.skipped.push(`${name}: ${reason}`);
  }

  /** Returns the item; undefined if there is nothing to report. */
  item(type: ExternalAgentItemType, description: string): PlannedItem | undefined {
    const { names, writes, skipped } = this;
    const { cwd } = this.#places;
    if (writes.length === 0 && skipped.length === 0) return undefined;
    return { type, cwd, description, names, writes, skipped };
  }
}

/** Returns true if a path is in a folder, links followed; the path need not exist. */
export function isInside(path: string, folder: string): boolean {
  if (!existsSync(path) && dirname(path) !== path) return isInside(dirname(path), folder);
  const [real, around] = [realPath(path), realPath(folder)];
  return real === around || real.startsWith(around.endsWith(sep) ? around : around + sep);
}
