import type { EventMsg, ResponseItem, ReviewDecision } from "../protocol/types.js";
import type {
  HookDecision,
  NestedCall,
  ToolContext,
  ToolOutput,
  ToolTurn,
} from "../tools/index.js";
import type { ReviewedRequest } from "./auto-review/action.js";
import type { Conversation } from "./conversation.js";
import { developerMessage } from "./messages.js";
import { askPermissions, PermissionGrants, readGuardOf } from "./permissions.js";
import type { Task } from "./task.js";

/** A call that asks its session for something while it runs. */
type AskingCall = Pick<NestedCall, "id" | "toolName">;

interface CallContextOptions {
  task: Task;
  conversation: Conversation;
  /** Calls whose begin was emitted by an engine that was lost. */
  begun: ReadonlySet<string> | undefined;
  runNested(call: NestedCall, spent: number): Promise<ToolOutput>;
}

/** Tools whose commands may outlive their call. */
const keepsRunning: ReadonlySet<string> = new Set(["exec_command", "unified_exec"]);

/** What the calls of one response may ask of their session, and what they have shown and been answered. */
export class CallContexts {
  readonly #task: Task;
  readonly #conversation: Conversation;
  readonly #begun: ReadonlySet<string> | undefined;
  readonly #runNested: CallContextOptions["runNested"];
  /** Calls that the user answered by ending the whole task. */
  readonly #aborting = new Set<string>();
  /** Calls that clients know of by events of their own. */
  readonly #shown = new Set<string>();

  constructor({ task, conversation, begun, runNested }: CallContextOptions) {
    this.#task = task;
    this.#conversation = conversation;
    this.#begun = begun;
    this.#runNested = runNested;
  }

  /** Returns true if clients know of a call by events of its own. */
  isShown(callId: string): boolean {
    return this.#shown.has(callId);
  }

  /** Returns true if the user answered a call by ending the whole task. */
  endsTask(callId: string): boolean {
    return this.#aborting.has(callId);
  }

  /** Settings of the turn, with the permissions granted so far. */
  get #turn(): ToolTurn {
    const { context } = this.#conversation;
    const { session, grants } = this.#task;
    const granted = context.isConfined ? [] : [session.grants, grants];
    const policy = PermissionGrants.over(context, ...granted);
    const { reviewsAll } = this.#task;
    const isPlain = policy === context.sandbox_policy && !reviewsAll;
    return isPlain ? context : { ...context, sandbox_policy: policy, reviewsAll };
  }

  /** Before 0.166 the user was asked, whatever the reviewer was set to. */
  get #isReviewed(): boolean {
    const { context } = this.#conversation;
    const { era } = this.#task.session.parts;
    return context.approvals_reviewer !== "user" && era.since["0.166"];
  }

  /** Asks the automatic reviewer; undefined if it comes to no decision. */
  async #review(callId: string, reviewed: ReviewedRequest): Promise<HookDecision | undefined> {
    const { context } = this.#conversation;
    return this.#task.reviewAction?.({ context, callId, reviewed });
  }

  /** Returns true if clients know already that a call has begun. */
  #isRepeated({ type }: EventMsg, callId: string): boolean {
    return this.#begun !== undefined && type.endsWith("_begin") && this.#begun.has(callId);
  }

  /** The context of a call of a script, which may outlive its task: then the client cannot be asked. */
  nested(call: AskingCall, spent: number): ToolContext {
    const task = this.#task;
    const callId = call.id;
    const context = this.of(call, spent);
    return {
      ...context,
      isNested: true,
      emit(msg) {
        if (!task.hasEnded) task.emit(msg, callId);
        else if (!task.signal.aborted) task.emitAfterEnd(msg, callId);
      },
      askExecApproval: async (request, facts) =>
        task.hasEnded ? "denied" : context.askExecApproval(request, facts),
      askPatchApproval: async (request) =>
        task.hasEnded ? "denied" : context.askPatchApproval(request),
      askPermissions: async (request) =>
        task.hasEnded ? { behavior: "deny", message: tooLate } : context.askPermissions(request),
      askDynamicTool: async (call) =>
        task.hasEnded
          ? { success: false, contentItems: [{ type: "inputText", text: tooLate }] }
          : context.askDynamicTool(call),
    };
  }

  /** The context of a call. */
  of({ id: callId, toolName }: AskingCall, spent: number): ToolContext {
    const task = this.#task;
    const { approvals, userInputs, dynamicCalls, pending } = task.session;
    const { log } = task.session.parts;
    const { context } = this.#conversation;
    const noted = async (answer: Promise<ReviewDecision>) => {
      const decision = await answer;
      if (decision === "abort") this.#aborting.add(callId);
      return decision;
    };
    const review = async (reviewed: ReviewedRequest, ask: () => Promise<ReviewDecision>) =>
      (await this.#review(callId, reviewed)) ?? ask();
    return {
      callId,
      turnId: task.turnId,
      turn: this.#turn,
      emit: (msg) => {
        this.#shown.add(callId);
        if (!this.#isRepeated(msg, callId)) task.emit(msg, callId);
      },
      emitAfterEnd: (msg) => task.emitAfterEnd(msg, callId),
      room: () => task.session.parts.queues.room?.(),
      ...(log.settled && { settled: () => log.settled?.() }),
      hasUnknownOutcome: (argv, cwd) => task.lostCommands?.has(argv, cwd) ?? false,
      askExecApproval: (request, { isUnconfined = false, onReview } = {}) => {
        this.#shown.add(callId);
        const ask = () => {
          task.emit({ type: "exec_approval_request", ...request }, callId);
          return noted(approvals.ask(request.call_id, [task.id], task.signal));
        };
        if (!this.#isReviewed && !task.reviewsAll) return ask();
        onReview?.();
        const source = keepsRunning.has(toolName) ? "unified_exec" : "shell";
        return review({ kind: "command", request, source, isUnconfined }, ask);
      },
      askPatchApproval: (request) => {
        this.#shown.add(callId);
        const ask = () => {
          task.emit({ type: "apply_patch_approval_request", ...request }, callId);
          return noted(approvals.ask(request.call_id, [task.id], task.signal));
        };
        return this.#isReviewed ? review({ kind: "patch", request }, ask) : ask();
      },
      askUserInput: (questions) => {
        this.#shown.add(callId);
        task.emit(
          { type: "request_user_input", call_id: callId, turn_id: task.turnId, questions },
          callId,
        );
        return userInputs.ask(callId, [task.turnId, task.id], task.signal);
      },
      askPermissions: (request) =>
        askPermissions(request, {
          callId,
          context,
          task,
          review: this.#isReviewed
            ? () => this.#review(callId, { kind: "permissions", request })
            : undefined,
        }),
      askDynamicTool(call) {
        task.emit({ type: "dynamic_tool_call_request", ...call }, callId);
        return dynamicCalls.ask(callId, [], task.signal);
      },
      beforePatch: async (paths) => (await task.files())?.beforePatch(paths),
      beforeCommand: async () => (await task.files())?.beforeCommand(),
      turnDiff: task.turnDiff,
      emitTurnDiff: () => task.emitTurnDiff(),
      awaitInput: (timeoutMs) => pending.arrival(task.session.parts.clock, timeoutMs, task.signal),
      now: () => task.session.parts.clock.now(),
      addInput: (items) => pending.add(items, "tool"),
      readGuard: () => readGuardOf(task.session.parts, this.#turn),
      async goal() {
        const { followUps, loadFollowUps } = task.session;
        return (followUps ?? (await loadFollowUps?.()))?.goalAccess(spent);
      },
      callTool: (call) => this.#runNested(call, spent),
      notifyModel: (text, type) => task.session.lateItems.push(toNotice(callId, text, type)),
      informModel: (text) => this.#conversation.record([developerMessage(text)]),
      emitItem: (type, item) => {
        this.#shown.add(callId);
        task.emitItem(type, item);
      },
      async agents() {
        // They change files in the turn of the user, whose files cover theirs.
        await (await task.files())?.beforeCommand();
        return (await task.session.useAgents()).control(task, callId);
      },
      signal: task.signal,
    };
  }
}

const tooLate = "the turn that started this script has ended, so the client cannot be asked";

/** A second output of a call; functions have only one, so that it is a message for them. */
function toNotice(
  callId: string,
  text: string,
  type: "custom_tool_call_output" | "function_call_output",
): ResponseItem {
  if (type === "function_call_output") return developerMessage(text);
  return { type, call_id: callId, name: "exec", output: text };
}
