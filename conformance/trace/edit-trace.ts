import { contains } from "../replay/awaited.js";
import type {
  ClientStep,
  Json,
  ModelRequest,
  ModelResponse,
  OutLine,
  Trace,
  TraceEnd,
  TraceMeta,
} from "./trace.js";
import { isObject } from "./trace.js";

/**
 * One change of a trace's expectations.
 *
 * `at` is a line's number in its list, or a part of the line: the first line that contains it. `insert`
 * adds lines before that one (without `at`: at the end), `copy` a copy of the line with that number,
 * `remove` removes that many lines, `set` and `unset` change its fields, named by a path such as
 * `body.input.3` (a dot in a name is written `\\.`). `omit` without `at` leaves elements out of the lists of all lines.
 */
export interface Edit {
  in: "meta" | "out" | "client" | "requests" | "responses" | "end";
  at?: Json;
  insert?: Json[];
  copy?: number;
  remove?: number;
  set?: Record<string, Json>;
  unset?: string[];
  /** Names of elements to leave out of a list, by its path. */
  omit?: Record<string, string[]>;
}

/** A copy of the trace with the edits made, one after the other; throws when one finds no line. */
export function editTrace(trace: Trace, edits: Edit[]): Trace {
  return edits.reduce(editOnce, structuredClone(trace));
}

function editOnce(trace: Trace, edit: Edit): Trace {
  const where = `edit of ${trace.group}/${trace.name} in ${edit.in}`;
  switch (edit.in) {
    case "meta":
      return {
        ...trace,
        meta: editFields(trace.meta as unknown as Json, edit) as unknown as TraceMeta,
      };
    case "end":
      return {
        ...trace,
        end: editFields(trace.end as unknown as Json, edit) as unknown as TraceEnd,
      };
    case "out":
      return editOut(trace, edit, where);
    case "client":
      return { ...trace, client: editList(trace.client.map(fromStep), edit, where).map(toStep) };
    case "requests":
      return { ...trace, requests: editList(trace.requests, edit, where) as ModelRequest[] };
    case "responses":
      return { ...trace, responses: editList(trace.responses, edit, where) as ModelResponse[] };
    default:
      throw new Error(`${where}: no such list`);
  }
}

function editOut(trace: Trace, edit: Edit, where: string): Trace {
  const before = trace.out.map((line) => line.msg);
  const at = indexOf(before, edit, where);
  const after = editList(before, edit, where) as Json[];
  const grown = after.length - before.length;
  const out: OutLine[] = after.map((msg, index) => {
    const old = trace.out[index < at ? index : Math.max(0, index - grown)];
    return { msg, estimates: old?.estimates ?? false };
  });
  const client = trace.client.map((step) =>
    step.outsBefore > at ? { ...step, outsBefore: step.outsBefore + grown } : step,
  );
  return { ...trace, out, client };
}

function editList(list: unknown[], edit: Edit, where: string): unknown[] {
  if (edit.omit && edit.at === undefined) return list.map((line) => editFields(line as Json, edit));
  const at = indexOf(list as Json[], edit, where);
  const copy = [...list];
  if (edit.insert) copy.splice(at, 0, ...edit.insert);
  else if (edit.copy !== undefined) copy.splice(at, 0, structuredClone(list[edit.copy]));
  else if (edit.remove !== undefined) copy.splice(at, edit.remove);
  else copy[at] = editFields(copy[at] as Json, edit);
  return copy;
}

function indexOf(list: Json[], edit: Edit, where: string): number {
  const { at } = edit;
  const adds = edit.insert !== undefined || edit.copy !== undefined;
  if (at === undefined && adds) return list.length;
  if (typeof at === "number" && at >= 0 && at < list.length + (adds ? 1 : 0)) return at;
  const index = isObject(at) ? list.findIndex((line) => contains(line, at)) : -1;
  if (index < 0) throw new Error(`${where}: there is no line ${JSON.stringify(at)}`);
  return index;
}

function editFields(value: Json, { set = {}, unset = [], omit = {} }: Edit): Json {
  const copy = structuredClone(value);
  for (const [path, field] of Object.entries(set)) {
    const { parent, key } = reach(copy, path);
    if (Array.isArray(parent)) parent[Number(key)] = field;
    else parent[key] = field;
  }
  for (const path of unset) {
    const { parent, key } = reach(copy, path);
    if (Array.isArray(parent)) parent.splice(Number(key), 1);
    else delete parent[key];
  }
  for (const [path, names] of Object.entries(omit)) {
    const { parent, key } = reach(copy, path);
    const list = Array.isArray(parent) ? undefined : parent[key];
    if (Array.isArray(list))
      list.splice(0, list.length, ...list.filter((one) => !isNamed(one, names)));
  }
  return copy;
}

/** An element without a name is known by the tag that its text begins with, or by its type. */
function isNamed(element: Json, names: string[]): boolean {
  if (!isObject(element)) return false;
  return names.includes(String(element.name ?? tagOf(element) ?? element.type));
}

function tagOf({ content, text }: { [name: string]: Json }): string | undefined {
  const [first] = Array.isArray(content) ? content : [];
  const own = typeof text === "string" ? text : isObject(first) ? first.text : undefined;
  return typeof own === "string" ? /^<([\w ]+)>/.exec(own)?.[1] : undefined;
}

function reach(
  value: Json,
  path: string,
): { parent: Json[] | { [key: string]: Json }; key: string } {
  const keys = path.split(/(?<!\\)\./).map((key) => key.replaceAll("\\.", "."));
  const key = keys.pop() as string;
  let parent: Json | undefined = value;
  for (const part of keys) {
    parent = Array.isArray(parent)
      ? parent[Number(part)]
      : isObject(parent)
        ? parent[part]
        : undefined;
  }
  if (!Array.isArray(parent) && !isObject(parent)) throw new Error(`edit: nothing at ${path}`);
  return { parent, key };
}

/** Client lines are edited in the form they have in the file. */
function fromStep({ msg, after, delayMs, outsBefore }: ClientStep): Json {
  return {
    msg,
    ...(after === undefined ? {} : { after: after as Json }),
    delay_ms: delayMs,
    outsBefore,
  };
}

function toStep(line: unknown): ClientStep {
  const { msg, after, delay_ms, outsBefore } = line as {
    msg: Json;
    after?: ClientStep["after"];
    delay_ms?: number;
    outsBefore?: number;
  };
  return {
    msg,
    ...(after === undefined ? {} : { after }),
    delayMs: delay_ms ?? 0,
    outsBefore: outsBefore ?? 0,
  };
}
