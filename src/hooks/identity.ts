import { createHash } from "node:crypto";
import type { HookEventFacts } from "./events.js";

/** Number of tokens of context that are passed to the model, unless a hook sets another limit. */
export const usualContextLimit = 2_500;

/** Trust in a hook: the user accepted this very hook, another version of it, or never any. */
export type HookTrust = "managed" | "trusted" | "modified" | "untrusted";

/**
 * Returns the hash that stands for a hook in `trusted_hash`.
 *
 * It covers the effective values, so that equal hooks of JSON and TOML files have equal hashes, and
 * is that of the reference for the handlers that it has.
 */
export function hookHash(
  event: HookEventFacts,
  matcher: string | undefined,
  handler: Readonly<Record<string, unknown>>,
): string {
  const identity = { event_name: event.key, hooks: [handler], matcher };
  return `sha256:${createHash("sha256").update(canonicalJson(identity)).digest("hex")}`;
}

/** Compares the hash that the user trusts with that of the hook. */
export function trustOf(
  isManaged: boolean,
  trustedHash: string | undefined,
  currentHash: string,
): HookTrust {
  if (isManaged) return "managed";
  if (trustedHash === undefined) return "untrusted";
  return trustedHash === currentHash ? "trusted" : "modified";
}

/** JSON with sorted keys and without blanks; undefined values are omitted. */
function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join()}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const entries = Object.entries(value)
    .filter(([, entry]) => entry !== undefined)
    .sort(([left], [right]) => (left < right ? -1 : 1));
  return `{${entries.map(([key, entry]) => `${JSON.stringify(key)}:${canonicalJson(entry)}`).join()}}`;
}
