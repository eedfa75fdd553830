import {
  type ApplyOutcome,
  applyChanges,
  guardRoots,
  parsePatch,
  type Verification,
  verifyPatch,
} from "../../src/patch/index.js";

/** Tries to apply a patch in a workspace that may be written but for its protected folders. */
export async function attack(workspace: string, text: string): Promise<string> {
  const parsed = parsePatch(text);
  if (!parsed.ok) return `no patch: ${parsed.error.message}`;
  const verified: Verification = await verifyPatch(parsed.patch.hunks, { cwd: workspace });
  if (!verified.ok) return `does not fit: ${JSON.stringify(verified.failure)}`;
  const guard = guardRoots([{ root: workspace, read_only_subpaths: [`${workspace}/.git`] }]);
  const outcome: ApplyOutcome = await applyChanges(verified.patch, { guard });
  return outcome.ok ? "applied" : outcome.stderr;
}
