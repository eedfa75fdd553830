import { type Awaited, isObject, type Json } from "../trace/trace.js";

/** Returns true if a line is the one the recording client had waited for. */
export function isAwaited(awaited: Awaited, msg: Json): boolean {
  if (!isObject(msg)) return false;
  if (typeof awaited === "string") return namesOf(msg).includes(awaited);
  if ("id" in awaited) return !("method" in msg) && contains(msg.id ?? null, awaited.id);
  const name = awaited.type ?? awaited.method;
  const isNamed = name === undefined || namesOf(msg).includes(name);
  return isNamed && contains(msg, awaited.where ?? {});
}

/** The awaited line in words, for messages. */
export function describeAwaited(awaited: Awaited): string {
  if (typeof awaited === "string") return awaited;
  return "id" in awaited
    ? `the answer to ${JSON.stringify(awaited.id)}`
    : `${awaited.type ?? awaited.method} with ${JSON.stringify(awaited.where ?? {})}`;
}

function namesOf(msg: { [key: string]: Json }): Json[] {
  const names: (Json | undefined)[] = [msg.method, msg.type];
  if (isObject(msg.msg)) names.push(msg.msg.type);
  return names.filter((name) => name !== undefined);
}

/** Returns true if `whole` contains all of `part`; a value that the recorder left open (`{{NAME}}`) is any. */
export function contains(whole: Json | undefined, part: Json): boolean {
  if (typeof part === "string" && /^\{\{[A-Z]+\d*\}\}$/.test(part)) return whole !== undefined;
  if (!isObject(part)) return JSON.stringify(whole) === JSON.stringify(part);
  return (
    isObject(whole) && Object.entries(part).every(([key, value]) => contains(whole[key], value))
  );
}
