import { SharedLock } from "../lib/async.js";
import { errorText } from "../lib/errors.js";
import type { EventMsg, ResponseItem, ReviewDecision } from "../protocol/types.js";
import {
  failed,
  type HookDecision,
  type NestedCall,
  type Tool,
  type ToolContext,
  type ToolKind,
  type ToolOutput,
  type ToolTurn,
} from "../tools/index.js";
import type { ReviewedRequest } from "./auto-review/action.js";
import type { Conversation } from "./conversation.js";
import { developerMessage } from "./messages.js";
import { askPermissions, PermissionGrants, readGuardOf } from "./permissions.js";
import type { Task } from "./task.js";

/** A tool call of a response. */
interface Call {
  id: string;
  kind: ToolKind;
  toolName: string;
  namespace?: string | null | undefined;
  input: string;
  /** Output if there is no such tool. */
  unknown: string;
  toItem(output: ToolOutput): ResponseItem;
}

interface OpenCall {
  call: Call;
  began: number;
  /** Its output, once it has ended. */
  item: ResponseItem | undefined;
}

const runsCommands: ReadonlySet<string> = new Set([
  "shell",
  "container.exec",
  "local_shell",
  "shell_command",
  "exec_command",
  "unified_exec",
]);

/** Returns true for an item that will run a command once it is complete. */
export function startsCommand(item: ResponseItem): boolean {
  return item.type === "function_call" && runsCommands.has(item.name);
}

/** Tools whose commands may outlive their call. */
const keepsRunning: ReadonlySet<string> = new Set(["exec_command", "unified_exec"]);

/** The calls of one response, while they run. */
export class ToolCalls {
  #task: Task;
  #conversation: Conversation;
  #running = new Map<ResponseItem, Promise<ResponseItem>>();
  /** Calls to start after the response is complete. */
  #waiting: { item: ResponseItem; call: Call }[] = [];
  /** Calls whose outputs are not recorded yet. */
  #open: OpenCall[] = [];
  #lock = new SharedLock();
  /** Calls that the user answered by ending the whole task. */
  #aborting = new Set<string>();
  /** Calls that clients know of by events of their own. */
  readonly #shown = new Set<string>();
  /** Calls whose begin was emitted by an engine that was lost. */
  readonly #begun: ReadonlySet<string> | undefined;

  constructor(task: Task, conversation: Conversation, begun?: ReadonlySet<string>) {
    this.#task = task;
    this.#conversation = conversation;
    this.#begun = begun;
    task.pendingOutputs = () => this.#pendingOutputs();
  }

  /**
   * Starts the call that an item makes, if it makes one.
   *
   * Calls that change nothing run side by side, all others one after the other. The promise is the
   * call's end, in eras that read on only then.
   */
  start(item: ResponseItem): Promise<void> | undefined {
    const call = callOf(item, this.#task);
    if (call === undefined) return;
    const { callOrder } = this.#task.session.parts.era.engine;
    if (callOrder === "after the response") {
      this.#waiting.push({ item, call });
      return;
    }
    const output = this.#begin(item, call);
    return callOrder === "one by one" ? output.then(() => {}) : undefined;
  }

  #begin(item: ResponseItem, call: Call): Promise<ResponseItem> {
    const open: OpenCall = { call, began: performance.now(), item: undefined };
    const output = this.#run(call).then((result) => {
      this.#reportFailure(call, result);
      open.item = call.toItem(result);
      if (this.recordsOutputs) this.#conversation.record([open.item]);
      return open.item;
    });
    this.#running.set(item, output);
    this.#open.push(open);
    // `outputs` reports the rejection; after an abort it may never be called.
    output.catch(() => {});
    return output;
  }

  /** Emits the failure of a call that no other event shows. */
  #reportFailure({ id, toolName }: Call, { success, isBlocked, text }: ToolOutput): void {
    if (success || isBlocked || this.#shown.has(id)) return;
    this.#task.emit({ type: "tool_call_failed", call_id: id, tool: toolName, message: text }, id);
  }

  /** True if each output is recorded when its call ends, since another engine may have to continue. */
  get recordsOutputs(): boolean {
    const { log, era } = this.#task.session.parts;
    return log.settled !== undefined && era.engine.recordsTasks;
  }

  /** Starts the waiting calls and resolves to all outputs, by the item that made the call. */
  async outputs(): Promise<Map<ResponseItem, ResponseItem>> {
    for (const { item, call } of this.#waiting.splice(0)) this.#begin(item, call);
    const outputs = new Map<ResponseItem, ResponseItem>();
    for (const [item, output] of this.#running) outputs.set(item, await output);
    this.#open = [];
    return outputs;
  }

  /** Returns outputs for an abort: the real ones of finished calls, a notice for the others. */
  #pendingOutputs(): ResponseItem[] {
    return this.#open.map(({ call, began, item }) => {
      if (item !== undefined) return item;
      const seconds = ((performance.now() - began) / 1000).toFixed(1);
      const text = runsCommands.has(call.toolName)
        ? `Wall time: ${seconds} seconds\naborted by user`
        : `aborted by user after ${seconds}s`;
      return call.toItem(failed(text));
    });
  }

  async #run(call: Call): Promise<ToolOutput> {
    const tool = this.#conversation.tools.find(call.kind, call.toolName, call.namespace);
    if (tool === undefined) return failed(call.unknown);
    const input = { text: call.input };
    const { hooks, tokens } = this.#task.session;
    const { spent } = tokens; // before this response is complete
    const changes = hooks?.changesCalls === true && !tool.skipsHooks;
    const isReadOnly = !changes && (tool.isReadOnly?.(input) ?? false);
    return this.#attempt(call, () => {
      const run = () => this.#dispatch(call, tool, { spent });
      return isReadOnly ? this.#lock.runShared(run) : this.#lock.runAlone(run);
    });
  }

  /** Runs a call that a tool makes. Scripts decide themselves which calls run in parallel. */
  #runNested(call: NestedCall, spent: number): Promise<ToolOutput> {
    const tool = this.#conversation.tools.find(call.kind, call.toolName, call.namespace);
    if (tool === undefined) return Promise.resolve(failed(`unsupported call: ${call.toolName}`));
    return this.#attempt(call, () => this.#dispatch(call, tool, { spent, isNested: true }));
  }

  #dispatch(
    call: NestedCall | Call,
    tool: Tool,
    { spent, isNested = false }: { spent: number; isNested?: boolean },
  ): Promise<ToolOutput> {
    const { signal, session } = this.#task;
    signal.throwIfAborted();
    const context = isNested ? this.#nestedContext(call, spent) : this.#toolContext(call, spent);
    if (session.hooks === undefined || tool.skipsHooks) {
      return tool.run({ text: call.input }, context);
    }
    return session.hooks.runTool(this.#task, this.#conversation.context, { call, tool, context });
  }

  async #attempt(call: NestedCall | Call, run: () => Promise<ToolOutput>): Promise<ToolOutput> {
    try {
      const output = await this.#task.countCall(run);
      this.#task.session.files?.afterCall(this.#task);
      this.#task.session.followUps?.onCall(call.toolName);
      if (this.#aborting.has(call.id)) this.#task.abort("interrupted");
      this.#task.signal.throwIfAborted();
      return output;
    } catch (error) {
      if (this.#task.signal.aborted) throw error;
      return failed(errorText(error));
    }
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

  /** The context of a call of a script, which may outlive its task: then there is nobody to ask. */
  #nestedContext(call: NestedCall | Call, spent: number): ToolContext {
    const task = this.#task;
    const callId = call.id;
    const context = this.#toolContext(call, spent);
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
    };
  }

  #toolContext({ id: callId, toolName }: NestedCall | Call, spent: number): ToolContext {
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

/** A second output of a call; functions have only one, so that it is a message for them. */
function toNotice(
  callId: string,
  text: string,
  type: "custom_tool_call_output" | "function_call_output",
): ResponseItem {
  if (type === "function_call_output") return developerMessage(text);
  return { type, call_id: callId, name: "exec", output: text };
}

/** Returns the call that an item makes, if it makes one. */
export function callOf(item: ResponseItem, task: Task): Call | undefined {
  switch (item.type) {
    case "function_call":
      return {
        id: item.call_id,
        kind: "function",
        toolName: item.name,
        namespace: item.namespace,
        input: item.arguments,
        unknown: `unsupported call: ${item.name}`,
        toItem: ({ text, parts }) => ({
          type: "function_call_output",
          call_id: item.call_id,
          output: parts ?? text,
        }),
      };
    case "custom_tool_call":
      return {
        id: item.call_id,
        kind: "custom",
        toolName: item.name,
        input: item.input,
        unknown: `unsupported custom tool call: ${item.name}`,
        toItem: ({ text, parts }) => ({
          type: "custom_tool_call_output",
          call_id: item.call_id,
          output: parts ?? text,
        }),
      };
    case "tool_search_call":
      return {
        id: item.call_id,
        kind: "tool_search",
        toolName: "tool_search",
        input: JSON.stringify(item.arguments),
        unknown: "",
        toItem: ({ found = [] }) => ({
          type: "tool_search_output",
          call_id: item.call_id,
          status: "completed",
          execution: "client",
          tools: [...found],
        }),
      };
    case "local_shell_call": {
      const id = item.call_id ?? item.id ?? task.session.parts.newId();
      return {
        id,
        kind: "local_shell",
        toolName: "local_shell",
        input: JSON.stringify(item.action),
        unknown: "unsupported call: local_shell",
        toItem: ({ text }) => ({ type: "function_call_output", call_id: id, output: text }),
      };
    }
    default:
      return undefined;
  }
}
