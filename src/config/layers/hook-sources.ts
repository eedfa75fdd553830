import { lstatSync } from "node:fs";
import { dirname, join } from "node:path";
import { errorText } from "../../lib/errors.js";
import { type JsonSyntaxError, parseLocatedJson } from "../../lib/json-lines.js";
import type { HookSource, HookSourceKind } from "../../protocol/hook-source.js";
import { readStatements, sharedLength } from "../toml/statements.js";
import { isTable, type Table } from "../toml/table.js";
import { type ConfigLayer, fileOf } from "./layer.js";
import { readTextIfThere } from "./read-file.js";

/**
 * Returns the sources of hooks: for each layer, from the lowest, `hooks.json` of its folder and then
 * its `[hooks]`. Nothing of their content is checked here.
 */
export function readHookSources(layers: readonly ConfigLayer[]): HookSource[] {
  const folders = new Set<string>();
  return layers.flatMap((layer) => {
    const file = fileOf(layer.source);
    const owner = ownerOf(layer);
    const folder = file === undefined ? undefined : dirname(file);
    const json = folder === undefined || folders.has(folder) ? [] : readJson(folder, owner);
    if (folder !== undefined) folders.add(folder);
    return [...json, ...fromTable(layer, file, owner)];
  });
}

type Owner = Pick<HookSource, "kind" | "isManaged">;

/** Files of the system folder can only be written by the administrator. */
function ownerOf({ source }: ConfigLayer): Owner {
  const kind: HookSourceKind =
    source.type === "legacyManagedConfigTomlFromFile" ? "legacyManagedConfigFile" : source.type;
  return { kind, isManaged: kind === "system" || kind === "legacyManagedConfigFile" };
}

function readJson(folder: string, owner: Owner): HookSource[] {
  const path = join(folder, "hooks.json");
  try {
    const text = readTextIfThere(path);
    if (text !== undefined) return [{ ...owner, path, ...parsed(text) }];
    if (lstatSync(path, { throwIfNoEntry: false }) === undefined) return [];
    return [{ ...owner, path, problem: "it is a link to nothing", lineOf: () => undefined }];
  } catch (error) {
    return [{ ...owner, path, problem: errorText(error), lineOf: () => undefined }];
  }
}

function parsed(text: string): Pick<HookSource, "content" | "problem" | "lineOf"> {
  try {
    const { value, lineOf } = parseLocatedJson(text);
    return { content: value, lineOf };
  } catch (error) {
    const { message, line } = error as JsonSyntaxError;
    return { problem: `not valid JSON: ${message}`, lineOf: () => line };
  }
}

function fromTable(layer: ConfigLayer, file: string | undefined, owner: Owner): HookSource[] {
  const { hooks } = layer.values;
  if (hooks === undefined) return [];
  const events = owner.kind === "user" && isTable(hooks) ? withoutState(hooks) : hooks;
  if (isTable(events) && Object.keys(events).length === 0) return [];
  const text = file === undefined ? undefined : readTextIfThere(file);
  return [
    {
      ...owner,
      // As in the reference; it is a part of the keys.
      path: file ?? "/<session-flags>/config.toml",
      content: { hooks: events },
      lineOf: (path) => (text === undefined ? undefined : lineOfItem(text, path)),
    },
  ];
}

function withoutState({ state: _, ...events }: Table): Table {
  return events;
}

/** Like `lineOf`, for paths with indexes of `[[lists]]`. */
export function lineOfItem(text: string, path: readonly string[]): number | undefined {
  const counts = new Map<string, number>();
  let best: { start: number; shared: number } | undefined;
  for (const { kind, path: names, start } of readStatements(text)) {
    const key = JSON.stringify(names);
    if (kind === "list") counts.set(key, (counts.get(key) ?? -1) + 1);
    const indexed = names.flatMap((name, at) => {
      const index = counts.get(JSON.stringify(names.slice(0, at + 1)));
      return index === undefined ? [name] : [name, String(index)];
    });
    const shared = sharedLength(indexed, path);
    if (shared > (best?.shared ?? 0)) best = { start, shared };
    // Lists inside of this item start again.
    if (kind === "list")
      for (const other of counts.keys()) if (isInside(other, key)) counts.delete(other);
  }
  return best === undefined ? undefined : text.slice(0, best.start).split("\n").length;
}

function isInside(key: string, list: string): boolean {
  return key.startsWith(`${list.slice(0, -1)},`);
}
