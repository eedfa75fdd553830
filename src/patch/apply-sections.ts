import { type ApplyOptions, applyChanges } from "./apply.js";
import { commandLineText } from "./failure.js";
import type { Hunk } from "./hunk.js";
import { successOutput } from "./verified-patch.js";
import { type VerifyOptions, verifyPatch } from "./verify.js";

/** Result of {@link applySections}. */
export interface SectionsOutcome {
  ok: boolean;
  stdout: string;
  stderr: string;
  /** The sections that were applied; they stay applied even if a later one failed. */
  done: Hunk[];
}

/**
 * Applies a patch as the command line does: section by section, each checked just before it is
 * applied.
 *
 * Sections before a failing one stay applied, and only the failure is printed: programs match on
 * that output.
 */
export async function applySections(
  hunks: readonly Hunk[],
  options: VerifyOptions & ApplyOptions,
): Promise<SectionsOutcome> {
  if (hunks.length === 0) {
    return { ok: false, stdout: "", stderr: `${commandLineText({ kind: "empty" })}\n`, done: [] };
  }
  const done: Hunk[] = [];
  for (const hunk of hunks) {
    const stderr = await applyOne(hunk, options);
    if (stderr !== undefined) return { ok: false, stdout: "", stderr, done };
    done.push(hunk);
  }
  return { ok: true, stdout: successOutput(done), stderr: "", done };
}

async function applyOne(hunk: Hunk, options: VerifyOptions & ApplyOptions) {
  const verified = await verifyPatch([hunk], options);
  if (!verified.ok) return `${commandLineText(verified.failure)}\n`;
  const outcome = await applyChanges(verified.patch, options);
  return outcome.ok ? undefined : outcome.stderr;
}
