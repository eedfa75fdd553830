import { rm } from "node:fs/promises";
import { join } from "node:path";
import { applyChanges, parsePatch, TurnDiff, verifyPatch } from "../../src/patch/index.js";
import type { FileChange } from "../../src/protocol/types.js";
import { CannotRun, type SuiteAdapter, type SuiteCase } from "../suite.js";
import { type CaseFiles, writeCaseFiles } from "./case-files.js";

/** The diff of all that a task changed. */
export const suite: SuiteAdapter = {
  name: "turn_diff",
  async run(testCase, { dir }) {
    const diffCase = testCase as DiffCase;
    await writeCaseFiles(dir, diffCase.initial_files);
    if (testCase.kind === "tracker") return runTracker(diffCase, dir);
    if (testCase.kind === "patches") return runPatches(diffCase, dir);
    throw new CannotRun(`unknown kind ${testCase.kind}`);
  },
};

interface DiffCase extends SuiteCase {
  initial_files: CaseFiles;
  steps: { changes: Record<string, FileChange>; disk_after: CaseFiles; diff: string | null }[];
  patches: string[];
  expect: { unified_diff: string | null };
}

/** Files change on disk as the case describes, after the tracker was notified of the upcoming change. */
async function runTracker({ steps }: DiffCase, dir: string) {
  const turnDiff = new TurnDiff();
  for (const [index, { changes, disk_after, diff }] of steps.entries()) {
    await turnDiff.track(toAbsolute(changes, dir));
    await writeCaseFiles(dir, disk_after);
    for (const [name, content] of Object.entries(disk_after)) {
      if (content === null) await rm(join(dir, name));
    }
    const difference = differ(diff, (await turnDiff.unifiedDiff())?.replaceAll(dir, "<DIR>"));
    if (difference) return `step ${index}: ${difference}`;
  }
  return undefined;
}

function toAbsolute(changes: Record<string, FileChange>, dir: string): Record<string, FileChange> {
  return Object.fromEntries(
    Object.entries(changes).map(([path, change]) => [
      join(dir, path),
      change.type === "update" && change.move_path
        ? { ...change, move_path: join(dir, change.move_path) }
        : change,
    ]),
  );
}

async function runPatches({ patches, expect }: DiffCase, dir: string) {
  const turnDiff = new TurnDiff({ root: dir });
  for (const text of patches) {
    const parsed = parsePatch(text);
    if (!parsed.ok) return `no patch: ${parsed.error.message}`;
    const verified = await verifyPatch(parsed.patch.hunks, { cwd: dir });
    if (!verified.ok) return `does not verify: ${JSON.stringify(verified.failure)}`;
    await turnDiff.track(verified.patch.changes);
    const outcome = await applyChanges(verified.patch);
    if (!outcome.ok) return `not applied: ${outcome.stderr}`;
  }
  return differ(expect.unified_diff, await turnDiff.unifiedDiff());
}

function differ(expected: string | null, got: string | undefined): string | undefined {
  if ((expected ?? undefined) === got) return undefined;
  return `expected ${JSON.stringify(expected)}, got ${JSON.stringify(got)}`;
}
