import { type Awaited, isObject, type Json } from "../trace/trace.js";

/** Returns true if a line is the one the recording client had waited for. */
export function isAwaited(awaited: Awaited, msg: Json): boolean {
  if (!isObject(msg)) return false;
  if (typeof awaited === "string") return namesOf(msg).includes(awaited);
  if (!("where" in awaited)) return !("method" in msg) && contains(msg.id ?? null, awaited.id);
  const name = awaited.type ?? awaited.method;
  return (name === undefined || namesOf(msg).includes(name)) && contains(msg, awaited.where);
}

/** The awaited line in words, for messages. */
export function describeAwaited(awaited: Awaited): string {
  if (typeof awaited === "string") return awaited;
  return "where" in awaited
    ? `${awaited.type ?? awaited.method} with ${JSON.stringify(awaited.where)}`
    : `the answer to ${JSON.stringify(awaited.id)}`;
}

function namesOf(msg: { [key: string]: Json }): Json[] {
  const names: (Json | undefined)[] = [msg.method, msg.type];
  if (isObject(msg.msg)) names.push(msg.msg.type);
  return names.filter((name) => name !== undefined);
}

/** Returns true if `whole` contains all of `part`. */
export function contains(whole: Json | undefined, part: Json): boolean {
  if (!isObject(part)) return JSON.stringify(whole) === JSON.stringify(part);
  return (
    isObject(whole) && Object.entries(part).every(([key, value]) => contains(whole[key], value))
  );
}
