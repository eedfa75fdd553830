import type { HookCall, HookEventName, HookOutcome, Hooks } from "../../hooks/index.js";
import type { StreamItem } from "../../model/index.js";
import type {
  HookPromptFragment,
  InputItem,
  ResponseItem,
  TokenUsage,
  TurnItem,
} from "../../protocol/types.js";
import type { ToolOutput } from "../../tools/index.js";
import { developerMessage } from "../messages.js";
import type { SessionParts } from "../parts.js";
import type { TurnContext } from "../turn-context.js";
import type { HookedCall } from "./hooked-call.js";
import { type RunHooks, ToolHooks, type ToolRun } from "./tool-hooks.js";

/** Reason why a conversation starts or starts again. */
export type StartSource = "startup" | "resume" | "fork" | "compact";

/** The session as its hooks see it. */
export interface HookedSession {
  readonly id: string;
  readonly context: TurnContext;
  readonly parts: Pick<SessionParts, "log" | "newId" | "agent">;
}

/** The task as the hooks of its session see it. */
export interface HookedTask {
  readonly turnId: string;
  readonly signal: AbortSignal;
  record(items: readonly ResponseItem[]): void;
  emitItem(type: "item_started" | "item_completed", item: TurnItem): void;
}

/**
 * The hooks of a session, with one method for each point at which they run.
 *
 * Builds the input of the hooks and applies what they decide.
 */
export class SessionHooks {
  readonly #session: HookedSession;
  readonly #hooks: Hooks;
  /** The last task that the user interrupted. */
  #interrupted: object | undefined;
  readonly #running = new Map<string, HookedCall>();

  constructor(session: HookedSession, hooks: Hooks) {
    this.#session = session;
    this.#hooks = hooks;
  }

  /** Runs a tool call between its hooks. `settings` are those of its conversation. */
  runTool(
    task: HookedTask,
    settings: TurnContext,
    { call, tool, context }: ToolRun,
  ): Promise<ToolOutput> {
    const run: RunHooks = (event, fields, match) =>
      this.#run(event, { task, context: settings, fields, ...match });
    return new ToolHooks(context, run, this.#running).runTool(call, tool);
  }

  /** Returns true if calls must run one after the other, because hooks may change their input. */
  get changesCalls(): boolean {
    return this.#hooks.has("PreToolUse");
  }

  /** Runs at the first turn of a conversation. Returns false if the turn must end. */
  async start(task: HookedTask, source: StartSource): Promise<boolean> {
    const agent = this.#agent;
    const outcome =
      agent === undefined
        ? await this.#run("SessionStart", { task, fields: { source }, names: [source] })
        : await this.#run("SubagentStart", { task, names: [agent.agent_type] });
    return this.#addContexts(task, outcome);
  }

  /**
   * Runs before input of the user is added to the conversation by `add`.
   *
   * Returns false if a hook rejects the input, which is then not recorded.
   */
  async submit(
    task: HookedTask,
    items: readonly InputItem[],
    add: () => Promise<void>,
  ): Promise<boolean> {
    const texts = items.flatMap((item) => (item.type === "text" ? [item.text] : []));
    const fields = { prompt: texts.join("") };
    const outcome = await this.#run("UserPromptSubmit", { task, fields });
    if (isEnd(outcome)) return false;
    await add();
    return this.#addContexts(task, outcome);
  }

  /**
   * Runs when the model has nothing more to do. Returns true if the turn must continue: the
   * conversation then contains the reason.
   */
  async stop(
    task: HookedTask,
    { lastAgentMessage, isAgain }: { lastAgentMessage: string | undefined; isAgain: boolean },
  ): Promise<boolean> {
    const agent = this.#agent;
    const fields = { stop_hook_active: isAgain, last_assistant_message: lastAgentMessage ?? null };
    const { blocked, blocks, stopped, contexts } =
      agent === undefined
        ? await this.#run("Stop", { task, fields })
        : await this.#run("SubagentStop", {
            task,
            fields: { ...fields, agent_transcript_path: this.#session.parts.log.path ?? null },
            names: [agent.agent_type],
          });
    this.#record(task, contexts);
    if (blocked === undefined || stopped !== undefined) return false;
    const id = `msg_${this.#session.parts.newId()}`;
    const fragments = (blocks ?? [blocked]).map(({ reason, runId }) => ({
      text: reason,
      hookRunId: runId,
    }));
    const content = fragments.map((one) => ({ type: "input_text" as const, text: tagged(one) }));
    task.record([{ type: "message", role: "user", id, content }]);
    const item = { type: "HookPrompt" as const, id, fragments };
    task.emitItem("item_started", item);
    task.emitItem("item_completed", item);
    return true;
  }

  /** Fields that identify a helper agent; undefined in the user's conversation. */
  get #agent(): { agent_id: string; agent_type: string } | undefined {
    const self = this.#session.parts.agent?.self;
    if (self === undefined) return undefined;
    return { agent_id: self.threadId, agent_type: self.role ?? "default" };
  }

  /** Runs before a compaction. Returns false if there must be none. */
  async beforeCompact(task: HookedTask, trigger: "manual" | "auto"): Promise<boolean> {
    const outcome = await this.#run("PreCompact", {
      task,
      fields: { trigger },
      names: [trigger],
    });
    return !isEnd(outcome);
  }

  async afterCompact(task: HookedTask, trigger: "manual" | "auto"): Promise<void> {
    await this.#run("PostCompact", { task, fields: { trigger }, names: [trigger] });
  }

  /** Runs before a request to the model. Returns the reason if it must not be made. */
  async beforeRequest(task: HookedTask, context: TurnContext): Promise<string | undefined> {
    const outcome = await this.#run("PreModelRequest", { task, context });
    this.#record(task, outcome.contexts);
    return outcome.blocked?.reason ?? outcome.stopped?.reason;
  }

  /** Runs after a request; `last` is the item that ended its response. */
  async afterRequest(
    task: HookedTask,
    context: TurnContext,
    last: StreamItem | undefined,
  ): Promise<void> {
    if (!this.#hooks.has("PostModelRequest")) return;
    const fields = requestFields(last);
    const outcome = await this.#run("PostModelRequest", { task, context, fields });
    this.#record(task, outcome.contexts);
  }

  /**
   * Runs when the user interrupts a task, which `abort` then aborts.
   *
   * Ops are handled meanwhile: a second interrupt aborts the task at once.
   */
  interrupt(task: Pick<HookedTask, "turnId" | "signal">, abort: () => void): void {
    const end = () => {
      if (!task.signal.aborted) abort();
    };
    if (this.#interrupted === task) end();
    else void this.#run("Interrupt", { task }).then(end, end);
    this.#interrupted = task;
  }

  get followsInterrupts(): boolean {
    return this.#hooks.has("Interrupt");
  }

  /** Runs when the session ends, then ends all hooks. */
  async end(): Promise<void> {
    const { signal } = new AbortController();
    // A helper agent is no session of the user.
    if (this.#agent === undefined) {
      await this.#run("SessionEnd", { fields: { reason: "other" } }, signal);
    }
    await this.#hooks.close();
  }

  /** Ends the hooks that still run, when others replace them. */
  async close(): Promise<void> {
    await this.#hooks.close();
  }

  async #run(
    event: HookEventName,
    { task, context = this.#session.context, fields = {}, ...match }: Occurrence,
    signal = task?.signal ?? new AbortController().signal,
  ): Promise<HookOutcome> {
    if (!this.#hooks.has(event)) return { contexts: [] };
    const { turnId } = task ?? {};
    const input = { ...this.#common(event, turnId, context), ...fields };
    const call: HookCall = { event, cwd: context.cwd, input, ...match };
    return this.#hooks.run(turnId === undefined ? call : { ...call, turnId }, signal);
  }

  #common(event: HookEventName, turnId: string | undefined, context: TurnContext) {
    const { id, parts } = this.#session;
    const mode = context.approval_policy === "never" ? "bypassPermissions" : "default";
    const agent = this.#agent;
    const transcript =
      event === "SubagentStop" ? parts.agent?.transcript : (parts.log.path ?? undefined);
    return {
      session_id: parts.agent?.tree.root.threadId ?? id,
      ...(turnId === undefined || event === "SessionStart" ? {} : { turn_id: turnId }),
      ...agent,
      transcript_path: transcript ?? null,
      cwd: context.cwd,
      hook_event_name: event,
      ...(event === "SessionEnd" ? {} : { model: context.model }),
      ...(withoutMode.has(event) ? {} : { permission_mode: mode }),
    };
  }

  #addContexts(task: HookedTask, outcome: HookOutcome): boolean {
    this.#record(task, outcome.contexts);
    return !isEnd(outcome);
  }

  #record(task: HookedTask, contexts: readonly string[]): void {
    task.record(contexts.map((text) => developerMessage(text)));
  }
}

/** An occurrence of an event. */
interface Occurrence extends Pick<HookCall, "names" | "callId" | "unless"> {
  task?: Pick<HookedTask, "turnId" | "signal">;
  /** Settings of a side conversation; default: those of the session. */
  context?: TurnContext;
  fields?: Record<string, unknown>;
}

const withoutMode: ReadonlySet<HookEventName> = new Set<HookEventName>([
  "SessionEnd",
  "PreCompact",
  "PostCompact",
  "PreModelRequest",
  "PostModelRequest",
]);

function isEnd({ blocked, stopped }: HookOutcome): boolean {
  return blocked !== undefined || stopped !== undefined;
}

function requestFields(last: StreamItem | undefined): Record<string, unknown> {
  if (last?.type === "completed") {
    return { status: "completed", error: null, token_usage: toUsage(last.usage) };
  }
  const error = last?.type === "failed" ? last.failure.message : "the stream ended early";
  return { status: "failed", error, token_usage: null };
}

function toUsage(usage: TokenUsage | undefined): Record<string, number> | null {
  if (usage === undefined) return null;
  return {
    input_tokens: usage.input_tokens,
    cached_input_tokens: usage.cached_input_tokens,
    cache_write_input_tokens: 0,
    output_tokens: usage.output_tokens,
    reasoning_output_tokens: usage.reasoning_output_tokens,
    total_tokens: usage.total_tokens,
  };
}

/** The reason of a hook as a message of the user, since the model must act on it. */
function tagged({ text, hookRunId }: HookPromptFragment): string {
  return `<hook_prompt hook_run_id="${escapeXml(hookRunId)}">${escapeXml(text)}</hook_prompt>`;
}

function escapeXml(text: string): string {
  return text.replace(/[&<>"]/g, (sign) => entities[sign] ?? sign);
}

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
};
