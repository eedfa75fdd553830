import type { ServerResponse } from "node:http";
import type { DenialCause } from "./decide.js";
import type { NoConnection } from "./dial.js";

/** A response instead of the target's. */
export interface Refusal {
  code: number;
  title: string;
  reason: string;
  headers?: Record<string, string>;
}

/** For a client without the credentials of the proxy. */
export const unauthorized: Refusal = {
  code: 407,
  title: "Proxy Authentication Required",
  reason: "Use the proxy with the credentials in HTTP_PROXY.",
  headers: { "Proxy-Authenticate": "Basic" },
};

/** Answers to requests that could not be parsed, by the code of the error. */
export const clientErrors: Readonly<Record<string, Refusal>> = {
  HPE_HEADER_OVERFLOW: {
    code: 431,
    title: "Request Header Fields Too Large",
    reason: "The headers of the request are too large.",
  },
  ERR_HTTP_REQUEST_TIMEOUT: {
    code: 408,
    title: "Request Timeout",
    reason: "The headers of the request took too long.",
  },
};

/** Returns the refusal of a request that a proxy cannot serve. */
export function badRequest(reason: string): Refusal {
  return { code: 400, title: "Bad Request", reason };
}

/** Returns the refusal of a request that the rules deny; `by` is for programs. */
export function blocked(reason: string, by: string): Refusal {
  return {
    code: 403,
    title: "Blocked by network rules",
    reason: `Blocked by the network rules: ${reason}.`,
    headers: { "X-Proxy-Error": `blocked-by-${by}` },
  };
}

/** Returns the refusal for a connection that was not made. */
export function refusalOf(none: NoConnection): Refusal {
  if (none.status === "failed") return { code: 502, title: "Bad Gateway", reason: none.reason };
  return blocked(none.reason, causes[none.cause]);
}

const causes: Readonly<Record<DenialCause, string>> = {
  "deny-rule": "denylist",
  "not-allowed": "allowlist",
  "local-address": "policy",
  off: "policy",
  invalid: "policy",
};

/** Sends a refusal. */
export function refuse(response: ServerResponse, { code, title, reason, headers }: Refusal): void {
  response.writeHead(code, title, { ...headers, "Content-Type": "text/plain" });
  response.end(`${reason}\n`);
}

/** Returns a refusal as bytes, for a socket that has no response object. */
export function rawResponse({ code, title, reason, headers }: Refusal): string {
  const all = { ...headers, "Content-Type": "text/plain", Connection: "close" };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${code} ${title}\r\n${lines.join("")}\r\n${reason}\n`;
}
