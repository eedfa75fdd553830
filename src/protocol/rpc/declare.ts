import type { TSchema } from "typebox";
import type { Version } from "../schema.js";

/**
 * Scope of a message: the state that all clients share, one connection, or one thread.
 *
 * A notification of scope `server` is sent to all clients, of `connection` to one, and of `thread` to the
 * subscribers of the thread.
 */
export type Scope = "server" | "connection" | "thread";

/** A message of a JSON-RPC surface. Checks, types, JSON Schema and docs are generated from it. */
export interface Declaration {
  kind: "method" | "notification" | "server request";
  name: string;
  summary: string;
  scope: Scope;
  params: TSchema;
  /** Schema of the reply; notifications have none. */
  result?: TSchema;
  /** First version of the reference that has it; unset if all versions of the surface do. */
  since?: Version;
  /** Last version of the reference that has it. */
  until?: Version;
  /** First version whose clients must set `capabilities.experimentalApi` to use it. */
  experimental?: Version;
}

type Method = Omit<Declaration, "kind" | "result"> & { result: TSchema };

/** Declares a request that clients send. */
export function defineMethod<const Declared extends Method>(
  declared: Declared,
): Declared & { kind: "method" } {
  return { ...declared, kind: "method" };
}

/** Declares a request that the server sends to clients. */
export function defineServerRequest<const Declared extends Method>(
  declared: Declared,
): Declared & { kind: "server request" } {
  return { ...declared, kind: "server request" };
}

/** Declares a notification that the server sends to clients. */
export function defineNotification<const Declared extends Omit<Declaration, "kind" | "result">>(
  declared: Declared,
): Declared & { kind: "notification" } {
  return { ...declared, kind: "notification" };
}
