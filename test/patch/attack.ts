import { join } from "node:path";
import {
  type ApplyOutcome,
  applyChanges,
  parsePatch,
  type Verification,
  verifyPatch,
} from "../../src/patch/index.js";
import { createSandbox } from "../../src/sandbox/index.js";

/** Tries to apply a patch in a workspace that is writable except for its protected folders. */
export async function attack(workspace: string, text: string): Promise<string> {
  const parsed = parsePatch(text);
  if (!parsed.ok) return `no patch: ${parsed.error.message}`;
  const verified: Verification = await verifyPatch(parsed.patch.hunks, { cwd: workspace });
  if (!verified.ok) return `does not fit: ${JSON.stringify(verified.failure)}`;
  const outcome: ApplyOutcome = await applyChanges(verified.patch, { guard: guardOf(workspace) });
  return outcome.ok ? "applied" : outcome.stderr;
}

/** The guard of a turn with write access to its workspace only. */
function guardOf(workspace: string) {
  const { platform, arch } = process;
  const stateDir = join(workspace, "../state");
  const sandbox = createSandbox({ platform, arch, env: {}, stateDir });
  const policy = {
    mode: "workspace-write",
    network_access: false,
    exclude_tmpdir_env_var: true,
    exclude_slash_tmp: true,
  } as const;
  return sandbox.writeGuard(policy, workspace);
}
