import { isObject, type Json, type OmittedDeltas, type OutLine } from "../trace/trace.js";

/**
 * Joins the output deltas of one command and stream, whose boundaries depend on timing alone.
 *
 * Joins only deltas without another line between them; deltas of other commands and streams may be in
 * between.
 */
export function joinDeltas(lines: OutLine[]): OutLine[] {
  const joined: OutLine[] = [];
  let run = new Map<string, number>();
  for (const line of lines) {
    const delta = deltaOf(line.msg);
    if (!delta) {
      run = new Map();
      joined.push(line);
      continue;
    }
    const at = run.get(delta.key);
    const before = at === undefined ? undefined : joined[at];
    if (at === undefined || before === undefined) {
      run.set(delta.key, joined.push(line) - 1);
    } else {
      joined[at] = { ...before, msg: delta.append(before.msg) };
    }
  }
  return joined;
}

/** The lines without deltas of the types a trace has left out, and how many bytes those carried. */
export function withoutOmitted(
  lines: OutLine[],
  omitted: OmittedDeltas[],
): { lines: OutLine[]; bytes: number; longest: number } {
  const types = new Set(omitted.map((one) => one.type));
  const kept: OutLine[] = [];
  let bytes = 0;
  let longest = 0;
  for (const line of lines) {
    const chunk = chunkOf(line.msg, types);
    if (chunk === undefined) {
      kept.push(line);
      continue;
    }
    bytes += chunk;
    longest = Math.max(longest, chunk);
  }
  return { lines: kept, bytes, longest };
}

/**
 * The lines without the start of a command's output that a trace lacks.
 *
 * Newer references listen to a process only a moment after it has started, so that the first deltas, or
 * all of them, are missing from a recording; the whole output is in the item.
 */
export function withoutUnrecorded(
  lines: OutLine[],
  expected: OutLine[],
  fill: (text: string) => string,
): OutLine[] {
  const recorded = outputs(expected);
  const surplus = new Map<string, number>();
  // Items with ids of the server's own (`<UUID-4>`, `exec-<UUID-4>`) are recognized by their text.
  const unnamed = [...recorded].flatMap(([item, text]) => (item.includes("<UUID-") ? [text] : []));
  for (const [item, text] of outputs(lines)) {
    const alike = unnamed.find((one) => text.endsWith(fill(one)));
    const end = fill(recorded.get(item) ?? alike ?? "");
    if (text.endsWith(end)) surplus.set(item, text.length - end.length);
  }
  return lines.flatMap((line) => {
    const { item, delta = "" } = outputOf(line.msg) ?? {};
    const cut = Math.min(surplus.get(item ?? "") ?? 0, delta.length);
    if (item === undefined || cut === 0) return [line];
    surplus.set(item, (surplus.get(item) ?? 0) - cut);
    if (cut === delta.length) return [];
    const msg = within(line.msg, "params", (old) => within(old, "delta", () => delta.slice(cut)));
    return [{ ...line, msg }];
  });
}

function outputs(lines: OutLine[]): Map<string, string> {
  const texts = new Map<string, string>();
  for (const { msg } of lines) {
    const { item, delta } = outputOf(msg) ?? {};
    if (item !== undefined) texts.set(item, `${texts.get(item) ?? ""}${delta}`);
  }
  return texts;
}

function outputOf(msg: Json): { item: string; delta: string } | undefined {
  if (!isObject(msg) || msg.method !== "item/commandExecution/outputDelta") return undefined;
  const { params } = msg;
  if (!isObject(params)) return undefined;
  return { item: String(params.itemId), delta: String(params.delta) };
}

/** Returns true if a line is a chunk of a command's output. */
export function isOutputDelta(msg: Json): boolean {
  return deltaOf(msg) !== undefined;
}

interface Delta {
  key: string;
  append(msg: Json): Json;
}

function deltaOf(msg: Json): Delta | undefined {
  if (!isObject(msg)) return undefined;
  if (isObject(msg.msg)) {
    const inner = eventDelta(msg.msg);
    return inner && { key: inner.key, append: (to) => within(to, "msg", inner.append) };
  }
  if (!isObject(msg.params) || typeof msg.method !== "string") return undefined;
  const { params } = msg;
  if (isObject(params.msg)) {
    const inner = eventDelta(params.msg);
    const inParams = (to: Json) => within(to, "msg", (event) => inner?.append(event) ?? event);
    return inner && { key: inner.key, append: (to) => within(to, "params", inParams) };
  }
  if (!/\/outputDelta$/.test(msg.method)) return undefined;
  const key = `${msg.method} ${params.itemId ?? params.processId} ${params.stream ?? ""}`;
  const text = String(params.delta ?? "");
  return { key, append: (to) => within(to, "params", (old) => concat(old, "delta", text)) };
}

function eventDelta(event: { [key: string]: Json }): Delta | undefined {
  if (event.type !== "exec_command_output_delta") return undefined;
  return {
    key: `${event.type} ${event.call_id} ${event.stream}`,
    append: (to) =>
      isObject(to) ? { ...to, chunk: joinBase64(String(to.chunk), String(event.chunk)) } : to,
  };
}

function joinBase64(...parts: string[]): string {
  return Buffer.concat(parts.map((part) => Buffer.from(part, "base64"))).toString("base64");
}

function within(value: Json, key: string, change: (inner: Json) => Json): Json {
  return isObject(value) ? { ...value, [key]: change(value[key] ?? null) } : value;
}

function concat(value: Json, key: string, text: string): Json {
  return isObject(value) ? { ...value, [key]: `${value[key]}${text}` } : value;
}

function chunkOf(msg: Json, types: Set<string>): number | undefined {
  const event =
    isObject(msg) && (isObject(msg.msg) ? msg.msg : isObject(msg.params) && msg.params.msg);
  if (!isObject(event) || !types.has(String(event.type))) return undefined;
  return Buffer.from(String(event.chunk), "base64").length;
}
