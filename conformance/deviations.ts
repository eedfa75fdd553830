import { readFile } from "node:fs/promises";
import type { Edit } from "./trace/edit-trace.js";
import { isObject, type Json } from "./trace/trace.js";

/** A trace or case this project differs from on purpose. */
export interface Deviation {
  /** `group/name` of a trace, or `suite/name` of a case. */
  id: string;
  why: string;
  /** The row of the specification's README or the sentence of a document that says so. */
  source: string;
  /** What the trace would say if the reference did as the document says. */
  edits: Edit[];
}

/** Reads a file of deviations, by id; throws when an entry does not say what, why and by which source. */
export async function readDeviations(path: string | undefined): Promise<Map<string, Deviation>> {
  if (path === undefined) return new Map();
  const list = JSON.parse(await readFile(path, "utf8")) as Json;
  if (!Array.isArray(list)) throw new Error(`${path}: expected a list`);
  const found = new Map<string, Deviation>();
  for (const [index, entry] of list.entries()) {
    const deviation = toDeviation(entry);
    if (!deviation) {
      throw new Error(`${path}: entry ${index} needs "trace" or "case", "why" and "source"`);
    }
    if (found.has(deviation.id)) throw new Error(`${path}: ${deviation.id} is there twice`);
    found.set(deviation.id, deviation);
  }
  return found;
}

/** Names the deviations that belong to no trace or case that exists. */
export function strayDeviations(deviations: Map<string, Deviation>, ids: Set<string>): string[] {
  return [...deviations.keys()].filter((id) => !ids.has(id));
}

function toDeviation(entry: Json): Deviation | undefined {
  if (!isObject(entry)) return undefined;
  const id = entry.trace ?? entry.case;
  const { why, source } = entry;
  if (typeof id !== "string" || typeof why !== "string" || typeof source !== "string")
    return undefined;
  if (why.trim() === "" || source.trim() === "") return undefined;
  const edits = (Array.isArray(entry.edits) ? entry.edits : []) as unknown as Edit[];
  return { id, why, source, edits };
}
