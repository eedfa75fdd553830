import type { AccessGuard, Caller } from "./access-guard.js";

/** A status, a body, and the type of the body if it is not plain text. */
export type ProbeAnswer = [status: number, text: string, type?: string];

/** Paths that programs which watch a server ask for. */
export const probePaths: ReadonlySet<string> = new Set(["/healthz", "/readyz", "/metrics"]);

/**
 * Answers a request for one of `probePaths`.
 *
 * `/healthz` and `/readyz` reveal nothing and need no token. `/metrics` needs the token of the
 * listener.
 */
export function answerProbe(
  { path, method }: { path: string; method: string },
  caller: Caller,
  guard: AccessGuard,
): ProbeAnswer | Promise<ProbeAnswer> {
  const isMetrics = path === "/metrics";
  const refusal = isMetrics ? guard.refusalOfConnected(caller) : guard.pageRefusalOf(caller);
  if (refusal !== undefined) return [refusal.status, refusal.reason];
  if (method !== "GET" && method !== "HEAD") return [405, "Use GET"];
  if (isMetrics) return answerMetrics(guard);
  return path === "/readyz" && !guard.isReady() ? [503, "The server is shutting down"] : [200, ""];
}

async function answerMetrics({ metrics }: AccessGuard): Promise<ProbeAnswer> {
  if (metrics === undefined) return [404, "This server has no metrics"];
  try {
    return [200, await metrics(), "text/plain; version=0.0.4; charset=utf-8"];
  } catch {
    return [503, "The metrics could not be collected"];
  }
}
