import { Malformed, weigh } from "../transport/index.js";

/** What ties a reply to its request. Each side counts its own: the same id may be used by both. */
export type RequestId = number | string;

/** Something the other side says on its own. */
export interface Notification {
  method: string;
  params?: unknown;
}

/** A message that asks for nothing and answers nothing, or not in a form that can be read. */
export interface Problem {
  kind: "parse" | "shape" | "batch";
  /** What is wrong, for a person. */
  reason: string;
  /** The id it seems to have. */
  id: RequestId | undefined;
}

/** What arrived, by what must be done with it. */
export type Incoming =
  | { kind: "request"; id: RequestId; method: string; params: unknown }
  | { kind: "notification"; method: string; params: unknown; message: Record<string, unknown> }
  | { kind: "reply"; id: RequestId; message: Record<string, unknown> }
  | { kind: "batch"; messages: unknown[] }
  | { kind: "problem"; problem: Problem };

/** Tells what a message is. The `jsonrpc` member is neither needed nor looked at. */
export function readMessage(value: unknown): Incoming {
  if (value instanceof Malformed) return problem("parse", value.reason, value.id);
  if (Array.isArray(value)) return { kind: "batch", messages: value };
  if (typeof value !== "object" || value === null) {
    return problem("shape", "A message must be an object");
  }
  const message = value as Record<string, unknown>;
  const { id, method } = message;
  if (typeof method === "string") return readCall(message, method);
  if (!isRequestId(id)) return problem("shape", noMethod);
  if ("result" in message || "error" in message) return { kind: "reply", id, message };
  return problem("shape", noMethod, id);
}

function readCall(message: Record<string, unknown>, method: string): Incoming {
  const { id, params } = message;
  if (id === undefined) return { kind: "notification", method, params, message };
  if (isRequestId(id)) return { kind: "request", id, method, params };
  return problem("shape", "The `id` of a request must be a string or a whole number below 2^53");
}

function isRequestId(value: unknown): value is RequestId {
  return typeof value === "string" || Number.isSafeInteger(value);
}

function problem(kind: Problem["kind"], reason: string, id?: RequestId): Incoming {
  return { kind: "problem", problem: { kind, reason, id } };
}

const noMethod = "A message needs a `method`, or an `id` with a `result` or an `error`";

/** A notification for many peers, serialized once for all of them. */
export class SharedNotification {
  readonly content: Notification;
  readonly members: Record<string, unknown> | undefined;
  #plain: string | undefined;
  #versioned: string | undefined;

  /** `members` stand beside `method` and `params`, on surfaces that have more of them. */
  constructor(content: Notification, members?: Record<string, unknown>) {
    this.content = content;
    this.members = members;
  }

  /** About how many bytes it takes as text. */
  get weight(): number {
    return this.#plain?.length ?? weigh(this.content);
  }

  toMessage(writesVersion: boolean): Record<string, unknown> {
    const { method, params } = this.content;
    const message = params === undefined ? { method } : { method, params };
    if (!writesVersion && this.members === undefined) return message;
    return { ...(writesVersion && { jsonrpc: "2.0" }), ...message, ...this.members };
  }

  /** Lets go of what was written; it is written anew for whoever still asks. */
  forgetText(): void {
    this.#plain = undefined;
    this.#versioned = undefined;
  }

  toText(writesVersion: boolean): string {
    this.#plain ??= this.serialize();
    if (!writesVersion) return this.#plain;
    // A message has members, so the version goes in front of the first one.
    this.#versioned ??= `{"jsonrpc":"2.0",${this.#plain.slice(1)}`;
    return this.#versioned;
  }

  /** The text without the `jsonrpc` member. */
  protected serialize(): string {
    return JSON.stringify(this.toMessage(false));
  }
}
