import { join } from "node:path";
import { CodexError } from "../../protocol/error.js";
import { placeOf } from "../check/report.js";
import { isTable, parseToml, type Table, valueAt } from "../toml/table.js";
import { type ConfigLayer, fileOf, mergeTables } from "./layer.js";
import { sandboxOfProfile } from "./prepare.js";
import { readTextIfThere } from "./read-file.js";

/** A setting that forbids something and that nothing here enforces. */
export interface Unenforced {
  /** The setting, such as `hooks`. */
  key: string;
  /** The file it stands in, with the line if it is one of several. */
  place: string;
  /** Why it is not enforced, and what to do. */
  reason: string;
}

/** Sources that are searched for settings that forbid something. */
export interface UnenforcedSources {
  /** The layers as they were read; those of projects without trust do not count. */
  layers: readonly ConfigLayer[];
  home: string;
  systemFolder: string;
}

/**
 * Finds the settings that forbid something in the reference and would be ignored here.
 *
 * Each check stands for itself: remove it when the setting is enforced.
 */
export async function findUnenforced(sources: UnenforcedSources): Promise<Unenforced[]> {
  const layers = sources.layers.filter(
    ({ source, isTrusted }) => source.type !== "project" || isTrusted === true,
  );
  return [
    ...findHooks(layers, sources),
    ...findPermissions(layers),
    ...findManagedPolicies(layers),
    ...(await findRequirements(sources.systemFolder)),
  ];
}

/** Throws unless every setting that forbids something is enforced. */
export function assertEnforceable({ unenforced }: { unenforced: readonly Unenforced[] }): void {
  const [first] = unenforced;
  if (first === undefined) return;
  const lines = unenforced.map(({ place, key, reason }) => `${place}: \`${key}\`: ${reason}`);
  throw new CodexError("config", lines.join("\n"), {
    data: { reason: "unenforced", key: first.key, source: first.place },
  });
}

function findHooks(layers: readonly ConfigLayer[], sources: UnenforcedSources): Unenforced[] {
  // Only the user and the machine may give up what hooks forbid.
  const own = layers.filter(({ source }) => source.type !== "project");
  if (own.some(({ values }) => switchesHooksOff(values))) return [];
  const files = [
    join(sources.systemFolder, "hooks.json"),
    join(sources.home, "hooks.json"),
    ...layers.flatMap(({ source }) =>
      source.type === "project" ? [join(source.dotCodexFolder, "hooks.json")] : [],
    ),
  ].filter(holdsHooks);
  const tables = layers.filter(({ values }) => canForbid(values.hooks));
  const reason =
    "hooks do not run here yet, so what they forbid would be allowed. Remove them, or set " +
    "`features.hooks = false` to work without them";
  return [
    ...files.map((place) => ({ key: "hooks", place, reason })),
    ...tables.map((layer) => ({ key: "hooks", place: placeIn(layer, "hooks"), reason })),
  ];
}

function switchesHooksOff(values: Table): boolean {
  const isOff = (name: string) => valueAt(values, ["features", name]) === false;
  return isOff("hooks") || isOff("codex_hooks");
}

/** Returns true if a file has hooks that can forbid something; an unreadable file counts. */
function holdsHooks(file: string): boolean {
  const text = readTextIfThere(file);
  if (text === undefined) return false;
  try {
    const content: unknown = JSON.parse(text);
    return isTable(content) && canForbid(content.hooks);
  } catch {
    return true;
  }
}

/** Returns true if a table of hooks has one for an event that a hook can stop. */
function canForbid(hooks: unknown): boolean {
  if (!isTable(hooks)) return false;
  return Object.entries(hooks).some(([event, groups]) => {
    if (!stoppableEvents.has(event) || !Array.isArray(groups)) return false;
    return groups.some((group) => {
      const handlers = isTable(group) ? group.hooks : undefined;
      return Array.isArray(handlers) && handlers.some((one) => !isTable(one) || one.async !== true);
    });
  });
}

const stoppableEvents: ReadonlySet<string> = new Set([
  "PreToolUse",
  "PermissionRequest",
  "PostToolUse",
  "PreCompact",
  "SessionStart",
  "UserPromptSubmit",
  "SubagentStart",
  "SubagentStop",
  "Stop",
  "PreModelRequest",
]);

function findPermissions(layers: readonly ConfigLayer[]): Unenforced[] {
  const chosen = layers.findLast(({ values }) => values.default_permissions !== undefined);
  const { permissions } = mergeTables(layers.map(({ values }) => values));
  if (sandboxOfProfile(chosen?.values.default_permissions, permissions) !== undefined) return [];
  const reason =
    "permission profiles that no sandbox mode can stand for are not enforced here yet. Remove it " +
    "and use `sandbox_mode`, or set `default_permissions` to one of `:read-only`, `:workspace` " +
    "and `:danger-full-access`";
  if (chosen !== undefined) {
    return [{ key: "default_permissions", place: placeIn(chosen, "default_permissions"), reason }];
  }
  return layers
    .filter(({ values }) => isTable(values.permissions) && hasEntries(values.permissions))
    .map((layer) => ({ key: "permissions", place: placeIn(layer, "permissions"), reason }));
}

/** In the file of the administrator these two forbid all other values. */
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
