import type { JsonRecord } from "../../protocol/read/check.js";
import { mostCalls } from "../failure.js";
import type { ChatCall } from "./lowered-tools.js";

/** A piece of a call: the name comes first, the arguments in pieces. */
export interface CallPart {
  index: number | undefined;
  id: string | undefined;
  name: string | undefined;
  arguments: string;
  /** Data that the server wants back with the call. */
  extra?: JsonRecord | undefined;
  /** True if the server says that a call starts: it continues none, whatever its index. */
  starts?: boolean;
}

type CallStart = Pick<CallPart, "index" | "id" | "name" | "starts">;

interface OpenCall {
  index: number | undefined;
  id: string | undefined;
  name: string;
  arguments: string;
  extra: JsonRecord | undefined;
}

/** Assembles the calls of a response from their pieces. */
export class CallParts {
  #calls: OpenCall[] = [];
  #newId: () => string;

  constructor(newId: () => string) {
    this.#newId = newId;
  }

  /** Returns false if there are more calls than any model makes. */
  add(parts: readonly CallPart[]): boolean {
    for (const part of parts) {
      let call = this.#find(part);
      if (call === undefined) {
        call = { index: part.index, id: part.id, name: "", arguments: "", extra: undefined };
        this.#calls.push(call);
        if (this.#calls.length > mostCalls) return false;
      }
      call.id ??= part.id;
      // Some servers send the name once, others with every piece.
      if (call.name === "") call.name = part.name ?? "";
      call.arguments += part.arguments;
      call.extra ??= part.extra;
    }
    return true;
  }

  /** Returns true if the arguments of every call are complete. */
  areWhole(): boolean {
    return this.#calls.every((call) => isJson(call.arguments || "{}"));
  }

  /** Returns true if every call names its tool. */
  haveNames(): boolean {
    return this.#calls.every(({ name }) => name !== "");
  }

  /** Returns the calls in the order in which they started, each with an id of its own. */
  whole(): ChatCall[] {
    const ids = new Set<string>();
    return this.#calls.map((call) => {
      if (call.id === undefined || ids.has(call.id)) call.id = `call_${this.#newId()}`;
      ids.add(call.id);
      const { id, name, arguments: args } = call;
      return { id, name, arguments: args === "" ? "{}" : args };
    });
  }

  /** Returns the data that goes back with calls, by their ids; `undefined` if there is none. */
  extras(): JsonRecord | undefined {
    const found = this.#calls.filter(({ extra }) => extra !== undefined);
    if (found.length === 0) return undefined;
    this.whole(); // assigns the ids
    return Object.fromEntries(found.map(({ id, extra }) => [id, extra]));
  }

  /** Returns the call that a piece continues; `undefined` if it starts a new one. */
  #find({ index, id, name, starts }: CallStart): OpenCall | undefined {
    if (starts) return undefined;
    const call =
      index === undefined
        ? this.#calls.at(-1)
        : this.#calls.findLast((other) => other.index === index);
    return call !== undefined && isOther(call, { index, id, name }) ? undefined : call;
  }
}

/** Some servers use one index for all calls, and some send none, or not even ids. */
function isOther(call: OpenCall, { index, id, name }: CallStart): boolean {
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
