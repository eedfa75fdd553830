import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { TraceFolder } from "../options.js";
import { parseTrace } from "./parse-trace.js";
import type { Strictness, Trace } from "./trace.js";

/** Folders of a trace directory that hold files left on disk, not conversations. */
const DATA_FOLDERS = new Set(["rollout", "history"]);

/** Reads every trace of a folder whose `group/name` is wanted, in a stable order. */
export async function readTraces(
  { dir, groups }: TraceFolder,
  wanted: (id: string) => boolean,
): Promise<Trace[]> {
  const marks = parseMarks(await readOptional(join(dir, "INDEX.md")));
  const traces: Trace[] = [];
  for (const entry of await readdir(dir, { withFileTypes: true })) {
    if (!entry.isDirectory() || DATA_FOLDERS.has(entry.name)) continue;
    if (groups && !groups.includes(entry.name)) continue;
    for (const file of await readdir(join(dir, entry.name))) {
      if (!file.endsWith(".jsonl")) continue;
      const name = file.slice(0, -".jsonl".length);
      const id = `${entry.name}/${name}`;
      if (!wanted(id)) continue;
      const text = await readFile(join(dir, entry.name, file), "utf8");
      const strictness = marks.get(id) ?? "exact";
      traces.push(parseTrace(text, { group: entry.name, name, strictness }));
    }
  }
  return traces.sort((a, b) => compareText(`${a.group}/${a.name}`, `${b.group}/${b.name}`));
}

/** Reads the `~order`, `~types` and `~differs` marks of an `INDEX.md`, by `group/name`. */
export function parseMarks(index: string): Map<string, Strictness> {
  const marks = new Map<string, Strictness>();
  let group = "";
  for (const line of index.split("\n")) {
    const heading = /^## (\S+)/.exec(line);
    if (heading?.[1]) group = heading[1];
    const marked = /^- ([^:]+):.*\s~(order|types|differs)\b/.exec(line);
    if (marked) marks.set(`${group}/${marked[1]}`, marked[2] as Strictness);
  }
  return marks;
}

async function readOptional(path: string): Promise<string> {
  try {
    return await readFile(path, "utf8");
  } catch {
    return ""; // a directory without marks: every trace is compared exactly
  }
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
