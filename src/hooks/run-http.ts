import { errorText } from "../lib/errors.js";
import type { HandlerResult } from "./answer.js";
import { type HandlerRun, mostOutput, notRun, timedOut } from "./run-command.js";

/**
 * Posts the input of a hook to a URL; the body of a 2xx response is the answer.
 *
 * Redirects are not followed, so that the input stays with the host that the user trusts.
 */
export async function runHttpHook(
  { url, headers }: { url: string; headers: Readonly<Record<string, string>> },
  { json, timeoutSec, signal }: HandlerRun,
): Promise<HandlerResult> {
  const limit = AbortSignal.timeout(timeoutSec * 1000);
  try {
    const response = await fetch(url, {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body: json,
      redirect: "manual",
      signal: AbortSignal.any([signal, limit]),
    });
    const stdout = await readStart(response);
    if (response.ok) return { exitCode: 0, stdout, stderr: "" };
    return notRun(`hook answered with HTTP status ${response.status}`);
  } catch (error) {
    if (signal.aborted) return notRun("interrupted");
    if (limit.aborted) return timedOut(timeoutSec);
    const { cause = error } = error as Error;
    return notRun(`hook could not be reached at ${url}: ${errorText(cause)}`);
  }
}

/** Reads as much of the body as a hook may answer. */
async function readStart({ body }: Response): Promise<string> {
  if (body === null) return "";
  const parts: Uint8Array[] = [];
  let left = mostOutput;
  // Leaving the loop cancels the rest of the body.
  for await (const part of body) {
    parts.push(part.subarray(0, left));
    left -= part.length;
    if (left <= 0) break;
  }
  return Buffer.concat(parts).toString("utf8");
}
