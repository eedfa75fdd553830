import { join } from "node:path";
import { CodexError } from "../../protocol/error.js";
import { placeOf } from "../check/report.js";
import { isTable, parseToml, type Table } from "../toml/table.js";
import { type ConfigLayer, fileOf } from "./layer.js";
import { readTextIfThere } from "./read-file.js";

/** A restriction of the config that is not enforced. */
export interface Unenforced {
  /** Key, such as `permissions`. */
  key: string;
  /** File, with the line if known. */
  place: string;
  /** Reason and remedy. */
  reason: string;
}

/** Sources to search for restrictions. */
export interface UnenforcedSources {
  /** Layers as read; untrusted projects are skipped. */
  layers: readonly ConfigLayer[];
  home: string;
  systemFolder: string;
}

/**
 * Finds restrictions that the reference enforces and that would be ignored here.
 *
 * The checks are independent: remove one when its setting is enforced.
 */
export async function findUnenforced(sources: UnenforcedSources): Promise<Unenforced[]> {
  const layers = sources.layers.filter(
    ({ source, isTrusted }) => source.type !== "project" || isTrusted === true,
  );
  return [...findManagedPolicies(layers), ...(await findRequirements(sources.systemFolder))];
}

/** Throws if a restriction is not enforced. */
export function assertEnforceable({ unenforced }: { unenforced: readonly Unenforced[] }): void {
  const [first] = unenforced;
  if (first === undefined) return;
  const lines = unenforced.map(({ place, key, reason }) => `${place}: \`${key}\`: ${reason}`);
  throw new CodexError("config", lines.join("\n"), {
    data: { reason: "unenforced", key: first.key, source: first.place },
  });
}

/** In the administrator's file these keys restrict all other values. */
function findManagedPolicies(layers: readonly ConfigLayer[]): Unenforced[] {
  const managed = layers.find(({ source }) => source.type === "legacyManagedConfigTomlFromFile");
  const keys = ["approval_policy", "sandbox_mode"];
  const reason =
    "clients and options can choose another value here, so it would not be enforced. Set it in " +
    "config.toml of the same folder instead, as a default";
  return keys
    .filter((key) => managed?.values[key] !== undefined)
    .map((key) => ({ key, place: placeIn(managed as ConfigLayer, key), reason }));
}

async function findRequirements(systemFolder: string): Promise<Unenforced[]> {
  const place = join(systemFolder, "requirements.toml");
  const reason =
    "requirements of the administrator are not enforced here yet. Ask the administrator to remove " +
    "them from this machine, or use a program that enforces them";
  let values: Table;
  let text: string | undefined;
  try {
    text = readTextIfThere(place);
    if (text === undefined) return [];
    values = await parseToml(text, place);
  } catch {
    return [{ key: "requirements", place, reason: `it cannot be read, and ${reason}` }];
  }
  return Object.entries(values)
    .filter(([, value]) => !isTable(value) || hasEntries(value))
    .map(([key]) => ({ key, place: placeOf([key], { name: place, text }), reason }));
}

function hasEntries(table: Table): boolean {
  return Object.keys(table).length > 0;
}

function placeIn({ source }: ConfigLayer, key: string): string {
  const name = fileOf(source);
  if (name === undefined) return "settings of the session";
  const text = readTextIfThere(name);
  return placeOf([key], text === undefined ? { name } : { name, text });
}
