import type { ChatCall } from "./lowered-tools.js";

/** A piece of a call: its name comes first, its arguments bit by bit. */
export interface CallPart {
  index: number | undefined;
  id: string | undefined;
  name: string | undefined;
  arguments: string;
}

interface OpenCall {
  index: number | undefined;
  id: string | undefined;
  name: string;
  arguments: string;
}

const mostCalls = 256;

/** Puts the calls of an answer together from their pieces. */
export class CallParts {
  #calls: OpenCall[] = [];
  #newId: () => string;

  constructor(newId: () => string) {
    this.#newId = newId;
  }

  /** False when there are more calls than any model makes. */
  add(parts: readonly CallPart[]): boolean {
    for (const part of parts) {
      let call = this.#find(part);
      if (call === undefined) {
        call = { index: part.index, id: part.id, name: "", arguments: "" };
        this.#calls.push(call);
      }
      call.id ??= part.id;
      // Said once or said with every piece: it is the same name.
      if (call.name === "") call.name = part.name ?? "";
      call.arguments += part.arguments;
    }
    return this.#calls.length <= mostCalls;
  }

  /** Whether the arguments of every call are complete. */
  areWhole(): boolean {
    return this.#calls.every((call) => isJson(call.arguments || "{}"));
  }

  /** The calls in the order in which they began. */
  whole(): ChatCall[] {
    return this.#calls.map(({ id, name, arguments: args }) => ({
      id: id ?? `call_${this.#newId()}`,
      name,
      arguments: args === "" ? "{}" : args,
    }));
  }

  /** The call that a piece goes on with; nothing when it begins a new one. */
  #find({ index, id, name }: Omit<CallPart, "arguments">): OpenCall | undefined {
    const call =
      index === undefined
        ? this.#calls.at(-1)
        : this.#calls.findLast((other) => other.index === index);
    return call !== undefined && isOther(call, { index, id, name }) ? undefined : call;
  }
}

/** Some servers give all calls the same index, and some none, or not even ids. */
function isOther(call: OpenCall, { index, id, name }: Omit<CallPart, "arguments">): boolean {
  if (name === undefined) return false;
  if (call.id !== undefined && id !== undefined) return call.id !== id;
  return index === undefined && call.name !== "";
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
