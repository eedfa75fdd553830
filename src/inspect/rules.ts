import type { Check } from "../protocol/checks/check.js";
import { findProblem } from "../protocol/read/problem.js";
import { checkOf, type MessageSchema } from "./schema-check.js";

/** Messages of one version of the protocol, and the shapes they carry. */
export interface MessageShapes {
  messages: readonly DeclaredMessage[];
  $defs: Readonly<Record<string, MessageSchema>>;
}

/** A message as the generated schemas declare it. */
export interface DeclaredMessage {
  kind: MessageKind | "client notification";
  name: string;
  params?: string;
  result?: string;
}

/** A message that has params: who sends it, and whether it has an answer. */
export type MessageKind = "method" | "notification" | "server request";

/** The generated schemas of an era, the newer ones first. */
export interface EraSchemas {
  v2: MessageShapes;
  v1: MessageShapes;
}

/** Checks of the messages of an era, by its generated schemas. */
export class MessageRules {
  readonly #versions: readonly MessageShapes[];
  readonly #found = new Map<string, Declared | undefined>();

  constructor({ v2, v1 }: EraSchemas) {
    this.#versions = [v2, v1];
  }

  /** True if the era has the message. */
  has(kind: MessageKind, name: string): boolean {
    return this.#find(kind, name) !== undefined;
  }

  /** Returns the problem of the params of a message that the era has. */
  paramsProblem(kind: MessageKind, name: string, params: unknown): string | undefined {
    const check = this.#find(kind, name)?.params;
    return check && findProblem(check, params ?? {}, "params")?.message;
  }

  /** Returns the problem of the result of a request that the era has. */
  resultProblem(kind: MessageKind, name: string, result: unknown): string | undefined {
    const check = this.#find(kind, name)?.result;
    return check && findProblem(check, result, "result")?.message;
  }

  #find(kind: MessageKind, name: string): Declared | undefined {
    const key = `${kind} ${name}`;
    // Names come from the peers, so only those that exist are stored.
    const found = this.#found.get(key) ?? this.#read(kind, name);
    if (found !== undefined) this.#found.set(key, found);
    return found;
  }

  #read(kind: MessageKind, name: string): Declared | undefined {
    for (const { messages, $defs } of this.#versions) {
      const message = messages.find((one) => one.kind === kind && isNamed(one.name, name));
      if (message === undefined) continue;
      const { params, result } = message;
      const [sent, answered] =
        kind === "server request" ? [strict, lenient] : kind === "method" ? [lenient, strict] : [];
      return {
        params: params === undefined ? undefined : checkOf(params, $defs, sent ?? strict),
        result: result === undefined ? undefined : checkOf(result, $defs, answered ?? strict),
      };
    }
    return undefined;
  }
}

/** Servers accept `null` for an omitted param of a client; their own messages are exact. */
const lenient = { nullIsAbsent: true };
const strict = {};

interface Declared {
  params: Check | undefined;
  result: Check | undefined;
}

/** `codex/event/*` stands for all names that begin so. */
function isNamed(declared: string, name: string): boolean {
  return declared.endsWith("*") ? name.startsWith(declared.slice(0, -1)) : declared === name;
}
