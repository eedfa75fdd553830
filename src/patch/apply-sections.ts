import { type ApplyOptions, applyChanges } from "./apply.js";
import { commandLineText } from "./failure.js";
import type { Hunk } from "./hunk.js";
import { listHunks, SUCCESS } from "./summary.js";
import { type VerifyOptions, verifyPatch } from "./verify.js";

/** What a patch applied section by section printed. */
export interface SectionsOutcome {
  ok: boolean;
  stdout: string;
  stderr: string;
}

/**
 * Applies a patch as the command line does: section by section, each checked when its turn comes.
 *
 * Sections before one that fails stay applied. They are listed on standard output then, so that
 * what is true of the files is said.
 */
export async function applySections(
  hunks: readonly Hunk[],
  options: VerifyOptions & ApplyOptions,
): Promise<SectionsOutcome> {
  if (hunks.length === 0) {
    return { ok: false, stdout: "", stderr: `${commandLineText({ kind: "empty" })}\n` };
  }
  const done: Hunk[] = [];
  for (const hunk of hunks) {
    const stderr = await applyOne(hunk, options);
    if (stderr !== undefined) {
      const title = "Updated the following files before the failure:";
      return { ok: false, stdout: done.length > 0 ? listHunks(title, done) : "", stderr };
    }
    done.push(hunk);
  }
  return { ok: true, stdout: listHunks(SUCCESS, done), stderr: "" };
}

async function applyOne(hunk: Hunk, options: VerifyOptions & ApplyOptions) {
  const verified = await verifyPatch([hunk], options);
  if (!verified.ok) return `${commandLineText(verified.failure)}\n`;
  const outcome = await applyChanges(verified.patch, options);
  return outcome.ok ? undefined : outcome.stderr;
}
