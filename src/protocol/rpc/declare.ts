import type { TSchema } from "typebox";

/** A message of a JSON-RPC surface as it is declared: checks, types, schemas and docs come from it. */
export interface Declaration {
  kind: "method" | "notification" | "server request";
  name: string;
  summary: string;
  params: TSchema;
  /** What answers it; notifications are not answered. */
  result?: TSchema;
}

/** Declares a request that clients make. */
export function declareMethod(
  name: string,
  summary: string,
  params: TSchema,
  result: TSchema,
): Declaration {
  return { kind: "method", name, summary, params, result };
}

/** Declares something that clients are told. */
export function declareNotification(name: string, summary: string, params: TSchema): Declaration {
  return { kind: "notification", name, summary, params };
}

/** Declares a request that clients are asked. */
export function declareServerRequest(
  name: string,
  summary: string,
  params: TSchema,
  result: TSchema,
): Declaration {
  return { kind: "server request", name, summary, params, result };
}
