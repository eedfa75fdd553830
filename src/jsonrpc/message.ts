import { Malformed, weigh } from "../transport/index.js";

/** Correlates a reply with its request. Each side has its own ids: both may use the same one. */
export type RequestId = number | string;

/** A message that expects no reply. */
export interface Notification {
  method: string;
  params?: unknown;
}

/** A message that is no valid request, reply or notification. */
export interface Problem {
  kind: "parse" | "shape" | "batch";
  /** Human-readable reason. */
  reason: string;
  /** The id, if one was found. */
  id: RequestId | undefined;
}

/** An incoming message, classified. */
export type Incoming =
  | { kind: "request"; id: RequestId; method: string; params: unknown; trace: unknown }
  | { kind: "notification"; method: string; params: unknown; message: Record<string, unknown> }
  | { kind: "reply"; id: RequestId; message: Record<string, unknown> }
  | { kind: "batch"; messages: unknown[] }
  | { kind: "problem"; problem: Problem };

/** Classifies a message. The `jsonrpc` member is neither required nor checked. */
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
  const { id, params, trace } = message;
  if (id === undefined) return { kind: "notification", method, params, message };
  if (isRequestId(id)) return { kind: "request", id, method, params, trace };
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

  /** `members` are added beside `method` and `params`, on surfaces that define more of them. */
  constructor(content: Notification, members?: Record<string, unknown>) {
    this.content = content;
    this.members = members;
  }

  /** Approximate size in bytes as text. */
  get weight(): number {
    return this.#plain?.length ?? weigh(this.content);
  }

  toMessage(writesVersion: boolean): Record<string, unknown> {
    const { method, params } = this.content;
    const message = params === undefined ? { method } : { method, params };
    if (!writesVersion && this.members === undefined) return message;
    return { ...(writesVersion && { jsonrpc: "2.0" }), ...message, ...this.members };
  }

  /** Drops the cached text; it is serialized again when needed. */
  forgetText(): void {
    this.#plain = undefined;
    this.#versioned = undefined;
  }

  toText(writesVersion: boolean): string {
    this.#plain ??= this.serialize();
    if (!writesVersion) return this.#plain;
    // A message is never empty, so the version goes before its first member.
    this.#versioned ??= `{"jsonrpc":"2.0",${this.#plain.slice(1)}`;
    return this.#versioned;
  }

  /** Returns the text without the `jsonrpc` member. */
  protected serialize(): string {
    return JSON.stringify(this.toMessage(false));
  }
}
