import { resolve } from "node:path";
import type { ExecBehavior } from "../../compat/index.js";
import { mayHaveDescendants } from "../../lib/process-tree.js";
import {
  applyChanges,
  failureText,
  type PatchCall,
  type PatchFailure,
  recordedFailureText,
  type VerifiedPatch,
  verifyPatch,
} from "../../patch/index.js";
import type { PatchApplyStatus } from "../../protocol/types.js";
import type { ReadGuard, WriteGuard } from "../../sandbox/index.js";
import {
  decidePatch,
  grantFor,
  isPatchWritable,
  type PatchDecision,
  type PatchedPath,
} from "../../shell/index.js";
import { renderFor } from "../exec/run-command.js";
import type { ExecServices } from "../exec/services.js";
import {
  changesNothing,
  failed,
  isHookDecision,
  ok,
  type ToolContext,
  type ToolOutput,
} from "../tool.js";

/**
 * Applies a patch if the user and the sandbox policy allow it.
 *
 * It is verified before anything is asked or written: a patch that does not apply changes nothing,
 * and exactly the approved changes are written.
 */
export async function runPatchCall(
  call: Exclude<PatchCall, { kind: "none" }>,
  { workdir }: { workdir: string | undefined },
  context: ToolContext,
  services: ExecServices,
): Promise<ToolOutput> {
  if (call.kind === "implicit") {
    return refused(call.message, services);
  }
  if (call.kind === "invalid") return notApplied(call.error, services);
  if (context.turn.isConfined) return failed(`patch rejected: ${changesNothing}`);
  const cwd = resolve(context.turn.cwd, workdir ?? ".", call.workdir ?? ".");
  const { turn } = context;
  const reads = await services.sandbox.readGuard(turn.sandbox_policy, turn.cwd);
  const mayRead = reads && ((path: string, file: number) => reads.mayRead(path, file));
  const buffers = services.buffers();
  const verified = await verifyPatch(call.patch.hunks, { cwd, mayRead, buffers });
  if (!verified.ok) return notApplied(verified.failure, services);

  const { patch } = verified;
  const isDenied = reads && patchedPaths(patch).some(({ path }) => reads.isDenied(path));
  const decision = isDenied ? outsideOfRules : await decide(patch, context, services);
  if (decision.decision === "reject") return failed(`patch rejected: ${decision.reason}`);
  const asked = decision.decision === "ask";
  const isCall = services.behavior.eventGrouping === "call";
  const begin = () =>
    context.emit({
      type: "patch_apply_begin",
      call_id: context.callId,
      auto_approved: !asked,
      changes: patch.changes,
    });
  if (isCall) begin();
  const denial = asked ? await ask(patch, context, services) : undefined;
  if (denial !== undefined) {
    const end = { stdout: "", stderr: denial.text, status: "declined" } as const;
    if (isCall) emitEnd(patch, end, context, services.behavior);
    return denial;
  }
  if (!isCall) begin();
  if (context.settled !== undefined) await context.settled();
  return apply(patch, context, services, { asked, reads });
}

const rejected = failed("patch rejected by user");

/** The user is not asked about a denied file: no approval could permit it. */
const outsideOfRules: PatchDecision = {
  decision: "reject",
  reason: "writing outside of the project; rejected by user approval settings",
};

/** Emits the `patch_apply_end` event. */
function emitEnd(
  { changes }: VerifiedPatch,
  { stdout, stderr, status }: { stdout: string; stderr: string; status: PatchApplyStatus },
  { callId, emit }: ToolContext,
  { eventGrouping }: ExecBehavior,
): void {
  const success = status === "completed";
  const end = { type: "patch_apply_end", call_id: callId, stdout, stderr, success } as const;
  emit(eventGrouping === "call" ? { ...end, changes, status } : end);
}

async function decide(
  patch: VerifiedPatch,
  { turn }: ToolContext,
  { sandbox, approvedPaths }: ExecServices,
): Promise<PatchDecision> {
  const paths = patchedPaths(patch);
  if (approvedPaths.haveAll(paths)) return { decision: "auto", sandboxed: false };
  return decidePatch({
    paths,
    approvalPolicy: turn.approval_policy,
    sandboxPolicy: turn.sandbox_policy,
    cwd: turn.cwd,
    writableRoots: sandbox.writableRoots(turn.sandbox_policy, turn.cwd),
    hasGrants: turn.sandbox_policy.granted !== undefined,
    // This process writes the files under the same guard on every platform.
    platformSandbox: true,
  });
}

/**
 * Asks the user; returns the output of a refusal.
 *
 * An approval for the session covers these files, or the folder that was asked for.
 */
async function ask(
  patch: VerifiedPatch,
  context: ToolContext,
  services: ExecServices,
): Promise<ToolOutput | undefined> {
  const { turn, callId } = context;
  const paths = patchedPaths(patch);
  const roots = services.sandbox.writableRoots(turn.sandbox_policy, turn.cwd);
  const writable = isPatchWritable({
    paths,
    sandboxPolicy: turn.sandbox_policy,
    cwd: turn.cwd,
    writableRoots: roots,
    hasGrants: turn.sandbox_policy.granted !== undefined,
  });
  // The specification asks for the folder too (`grant_root`); 0.166 asks for the patch only.
  const grant = writable || !services.since.current ? undefined : grantFor(paths, roots);
  const answer = await context.askPatchApproval({
    call_id: callId,
    changes: patch.changes,
    ...(grant === undefined ? {} : { reason: grant.reason }),
    ...(grant?.root === undefined ? {} : { grant_root: grant.root }),
  });
  if (isHookDecision(answer)) {
    return answer.behavior === "deny" ? failed(answer.message) : undefined;
  }
  if (answer === "approved_for_session") services.approvedPaths.add(paths, grant?.root);
  return answer === "denied" || answer === "abort" ? rejected : undefined;
}

async function apply(
  patch: VerifiedPatch,
  context: ToolContext,
  services: ExecServices,
  { asked, reads }: { asked: boolean; reads: ReadGuard | undefined },
): Promise<ToolOutput> {
  const { turn, turnDiff } = context;
  const { changes } = patch;
  const covered = asked || services.approvedPaths.haveAll(patchedPaths(patch));
  const plain = covered ? undefined : services.sandbox.writeGuard(turn.sandbox_policy, turn.cwd);
  const guard = reads === undefined ? plain : withDenied(plain, reads);
  await turnDiff.track(changes);
  const buffers = mayWriteThroughEditor(turn) ? services.buffers() : undefined;
  await context.beforePatch?.(patch.edits.map(({ target }) => target));
  const outcome = await applyChanges(patch, { buffers, ...(guard === undefined ? {} : { guard }) });
  const { stdout, stderr } = outcome;
  const status = outcome.ok ? "completed" : "failed";
  emitEnd(patch, { stdout, stderr, status }, context, services.behavior);
  await context.emitTurnDiff();
  const result = {
    exitCode: outcome.ok ? 0 : 1,
    aggregated: outcome.ok ? stdout : stderr,
    durationMs: 0,
    timedOut: false,
  };
  const text = renderFor(context, services, result);
  return outcome.ok ? ok(text) : failed(text);
}

/**
 * Returns true if the editor may write for us.
 *
 * It follows links, and a command that runs in the sandbox could put one in the place of a folder after the check.
 * Without a sandbox there is nothing to get around; otherwise no command and nothing it started may be running.
 */
function mayWriteThroughEditor({ sandbox_policy }: ToolContext["turn"]): boolean {
  return sandbox_policy.mode === "danger-full-access" || !mayHaveDescendants();
}

/** Not even the user's approval permits denied files. */
function withDenied(plain: WriteGuard | undefined, reads: ReadGuard): WriteGuard {
  return {
    check: (path) =>
      reads.isDenied(path)
        ? `${path} cannot be written: permission rules deny it`
        : plain?.check(path),
  };
}

function notApplied(failure: PatchFailure, services: ExecServices): ToolOutput {
  const isPlain = services.behavior.failureFormat === "plain";
  return refused(isPlain ? failureText(failure) : recordedFailureText(failure), services);
}

function refused(text: string, { behavior }: ExecServices): ToolOutput {
  const prefix = behavior.outputForm === "2026" ? "apply_patch verification failed" : "error";
  return failed(`${prefix}: ${text}`);
}

/** The files that a patch really writes or removes: behind links, both ends of a move included. */
function patchedPaths({ edits }: VerifiedPatch): PatchedPath[] {
  return edits.map(({ target }) => ({ path: target }));
}
