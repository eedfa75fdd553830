import { readFile } from "node:fs/promises";
import { toMatcher } from "./options.js";
import { type Edit, editTrace } from "./trace/edit-trace.js";
import { isObject, type Json, type Trace } from "./trace/trace.js";

/** A trace or case this project differs from on purpose. */
export interface Deviation {
  /** `group/name` of a trace (may be a glob), or `suite/name` of a case. */
  id: string;
  why: string;
  /** The row of the specification's README or the sentence of a document that says so. */
  source: string;
  /** Globs of traces that a glob does not stand for. */
  except: string[];
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
    const deviations = toDeviations(entry);
    if (deviations.length === 0) {
      throw new Error(`${path}: entry ${index} needs "trace" or "case", "why" and "source"`);
    }
    for (const deviation of deviations) {
      const { id, edits } = deviation;
      if (edits.length === 0 && !(isObject(entry) && "case" in entry)) {
        throw new Error(`${path}: ${id} needs "edits" that say what differs`);
      }
      if (found.has(id) && !isGlob(id)) throw new Error(`${path}: ${id} is there twice`);
      found.set(isGlob(id) ? `${id} ${index}` : id, deviation);
    }
  }
  return found;
}

/** The deviation named after a trace, together with those of its group whose edits change it. */
export function deviationOf(
  trace: Trace,
  deviations: Map<string, Deviation>,
): Deviation | undefined {
  const id = `${trace.group}/${trace.name}`;
  const named = deviations.get(id);
  const shared = [...deviations.values()].filter(
    (one) => isGlob(one.id) && applies(one, id) && changes(trace, one.edits),
  );
  const all = [...shared, ...(named ? [named] : [])];
  if (all.length === 0) return undefined;
  const join = (field: "why" | "source") => all.map((one) => one[field]).join(" ");
  const edits = all.flatMap((one) => one.edits);
  return { id, why: join("why"), source: join("source"), except: [], edits };
}

function applies(deviation: Deviation, id: string): boolean {
  const excepted = deviation.except.some((glob) => toMatcher(glob)(id));
  return !excepted && toMatcher(deviation.id)(id);
}

function isGlob(id: string): boolean {
  return id.includes("*");
}

function changes(trace: Trace, edits: Edit[]): boolean {
  return JSON.stringify(editTrace(trace, edits)) !== JSON.stringify(trace);
}

/** Names the deviations that belong to no trace or case that exists. */
export function strayDeviations(deviations: Map<string, Deviation>, ids: Set<string>): string[] {
  const exists = (id: string) => (isGlob(id) ? [...ids].some(toMatcher(id)) : ids.has(id));
  return [...deviations.values()].map(({ id }) => id).filter((id) => !exists(id));
}

/** An entry names a trace, a case, or in `traces` several traces that differ in the same way. */
function toDeviations(entry: Json): Deviation[] {
  if (!isObject(entry)) return [];
  const ids = Array.isArray(entry.traces) ? entry.traces : [entry.trace ?? entry.case];
  const { why, source } = entry;
  if (typeof why !== "string" || typeof source !== "string") return [];
  if (why.trim() === "" || source.trim() === "") return [];
  const edits = (Array.isArray(entry.edits) ? entry.edits : []) as unknown as Edit[];
  const except = (Array.isArray(entry.except) ? entry.except : []) as string[];
  return ids.flatMap((id) => (typeof id === "string" ? [{ id, why, source, except, edits }] : []));
}
