import { once } from "node:events";
import { rootPath } from "../agents/index.js";
import {
  backoffMs,
  type ModelFailure,
  type Prompt,
  requestedEffort,
  type StreamItem,
} from "../model/index.js";
import type { ResponseItem, SandboxPolicy } from "../protocol/types.js";
import { normalizeItems } from "../rollout/index.js";
import type { Conversation } from "./conversation.js";
import { type InstructionsMessage, instructionsFor } from "./instructions.js";
import { retryNotice } from "./model-errors.js";
import { toneText } from "./opening/opening.js";
import type { Task } from "./task.js";
import { type TurnContext, toTurnContextItem } from "./turn-context.js";

/** Options of a request. */
interface PromptOptions {
  task: Task;
  /** Continues from the last response that the provider has stored. */
  useStored: boolean;
  /** Creates the message with the instructions. Default: that of the session. */
  instructions?: InstructionsMessage;
}

/** Everything the next request asks the model. */
export function buildPrompt(
  conversation: Conversation,
  { task, useStored, instructions }: PromptOptions,
): Prompt {
  const { context, history, outputSchema } = conversation;
  const previous = useStored ? history.lastResponseId : undefined;
  const items = previous === undefined ? history.items : history.sinceLastResponse();
  const tools = conversation.tools.offered(context);
  return {
    model: context.model,
    ...withInstructions(task, {
      instructions: instructionsFor({
        override: conversation.instructions,
        family: context.family,
        tools,
        tone: task.session.parts.era.engine.contextForm === "2025" ? "" : toneText(context),
      }),
      input: previous === undefined ? normalizeItems(items) : items,
      message: instructions,
    }),
    tools,
    ...(sendsToolsInInput(task, context) ? { toolsInInput: true } : {}),
    parallelToolCalls: context.family.parallelToolCalls,
    ...reasoningOf(task, context),
    ...verbosityOf(context),
    ...(outputSchema === undefined ? {} : { outputSchema }),
    ...(previous === undefined ? {} : { previousResponseId: previous }),
    ...requestIdentity(task, conversation),
  };
}

/** Models that work through scripts have a smaller request in 0.166. */
function sendsToolsInInput({ session }: Task, { family }: TurnContext): boolean {
  return session.parts.era.model.requestForm === "2026-11" && family.toolMode === "code_only";
}

/** Returns the instructions as a field or as the first message, depending on the era. */
export function withInstructions(
  { session }: Task,
  {
    instructions,
    input,
    message = session.instructions,
  }: {
    instructions: string;
    input: readonly ResponseItem[];
    message?: InstructionsMessage | undefined;
  },
): Pick<Prompt, "instructions" | "input"> {
  if (session.parts.era.model.requestForm !== "2026-11") return { instructions, input };
  return { input: [message.of(instructions), ...input] };
}

/** Returns the verbosity of a request: as configured, or the default of the model. */
export function verbosityOf({ verbosity, family }: TurnContext): Pick<Prompt, "verbosity"> {
  const asked = verbosity ?? family.defaultVerbosity;
  return asked === undefined ? {} : { verbosity: asked };
}

/** Returns the reasoning settings of a request; none if the model does not reason. */
export function reasoningOf({ session }: Task, context: TurnContext): Pick<Prompt, "reasoning"> {
  if (!context.family.reasoning) return {};
  const { catalogue } = session.parts.era.model;
  const effort = requestedEffort(context.effort, context, catalogue);
  return { reasoning: { ...(effort === undefined ? {} : { effort }), summary: context.summary } };
}

/** Returns the ids of the conversation and turn of a request, for its headers and metadata. */
export function requestIdentity(
  task: Task,
  conversation: Conversation,
  kind: "turn" | "compaction" = "turn",
): Pick<Prompt, "conversationId" | "threadId" | "headers" | "metadata"> {
  const { session } = task;
  const { id = session.id, turnId = task.turnId, subagent } = conversation;
  const { requestForm } = session.parts.era.model;
  if (requestForm === "2025") return { conversationId: id };
  const { sandbox_policy, model, family, effort = family.defaultEffort } = conversation.context;
  const agent = agentIdentity(task);
  const isLite = sendsToolsInInput(task, conversation.context);
  const own = {
    ...(subagent === undefined ? agent.headers : { "x-openai-subagent": subagent }),
    ...(isLite ? { "x-openai-internal-codex-responses-lite": "true" } : {}),
  };
  const sandbox = sandboxName(sandbox_policy, session.parts.platform);
  if (requestForm === "2026-02") {
    const metadata = JSON.stringify({ turn_id: turnId, sandbox });
    return { conversationId: id, headers: { ...own, "x-codex-turn-metadata": metadata } };
  }
  const installation_id = session.parts.installationId;
  const window_id = `${id}:${session.windows.number}`;
  const metadata = JSON.stringify({
    installation_id,
    session_id: agent.sessionId ?? id,
    thread_id: id,
    agent_name: agent.name,
    turn_id: turnId,
    window_id,
    window_number: session.windows.number,
    context_window_id: session.windows.id,
    request_kind: kind,
    history_initialization: session.windows.beginning,
    ...agent.parentIds,
    root_turn_id: task.rootTurnId ?? turnId,
    ...agent.kind,
    ...(task.trigger && { turn_trigger: task.trigger }),
    sandbox,
    sandbox_mode: sandbox_policy.mode,
    auto_review_enabled: conversation.context.approvals_reviewer !== "user",
    node_repl_auto_review_required: family.scriptReview === true,
    node_repl_disabled: false,
    turn_started_at_unix_ms: task.startedAt,
    // The default of that version; nothing is collected here.
    analytics_enabled: true,
    ...(kind === "turn"
      ? { model, ...(effort === undefined ? {} : { reasoning_effort: effort }) }
      : { compaction: manualCompaction }),
    ...(session.parts.source === "exec" && {
      thread_source: agent.kind?.thread_source ?? "user",
      turn_trigger: task.trigger ?? "exec",
    }),
  });
  const ids = { "x-codex-turn-metadata": metadata, "x-codex-window-id": window_id };
  return {
    conversationId: agent.sessionId ?? id,
    threadId: id,
    headers: { ...own, ...ids },
    metadata: {
      ...ids,
      ...agent.headers,
      "x-codex-installation-id": installation_id,
      session_id: agent.sessionId ?? id,
      thread_id: id,
      turn_id: turnId,
      ...(task.parentTurnId === undefined ? {} : { parent_turn_id: task.parentTurnId }),
      root_turn_id: task.rootTurnId ?? turnId,
    },
  };
}

/** Facts about a helper agent in its requests; those of the user's conversation are few. */
function agentIdentity({ session, parentTurnId }: Task) {
  const { agent } = session.parts;
  const parent = agent?.self.parent;
  if (agent === undefined || parent === undefined) return { name: rootPath };
  return {
    name: agent.self.generation === 2 ? agent.self.path : rootPath,
    sessionId: agent.tree.root.threadId,
    headers: {
      "x-openai-subagent": "collab_spawn",
      "x-codex-parent-thread-id": parent.threadId,
    },
    parentIds: {
      parent_thread_id: parent.threadId,
      ...(parentTurnId === undefined ? {} : { parent_turn_id: parentTurnId }),
    },
    kind: { subagent_kind: "thread_spawn", thread_source: "subagent" },
  };
}

const manualCompaction = {
  trigger: "manual",
  reason: "user_requested",
  implementation: "responses",
  phase: "standalone_turn",
  strategy: "memento",
};

/** Name of the sandbox, as model servers know it. */
function sandboxName({ mode }: SandboxPolicy, platform: NodeJS.Platform): string {
  if (mode === "danger-full-access") return "none";
  if (mode === "external-sandbox") return "external";
  if (platform === "darwin") return "seatbelt";
  return platform === "win32" ? "windows_sandbox" : "seccomp";
}

/** Asks until an answer is complete, the budget is used up, or asking again cannot help. */
export async function askWithRetries<Outcome extends { failure?: ModelFailure }>(
  task: Task,
  { mustUseStored = false }: { mustUseStored?: boolean },
  ask: (useStored: boolean) => Promise<Outcome>,
): Promise<Outcome> {
  const { provider, clock } = task.session.parts;
  let useStored = provider.store || mustUseStored;
  for (let retries = 0; ; ) {
    const outcome = await ask(useStored);
    const { failure } = outcome;
    if (failure === undefined) return outcome;
    if (useStored && !mustUseStored && failure.kind === "http_status") {
      // The provider may have forgotten the previous response; the whole conversation still works.
      useStored = false;
      continue;
    }
    if (!failure.retryable || retries >= provider.stream_max_retries) return outcome;
    retries++;
    const delay = failure.retryAfterMs ?? backoffMs(retries, Math.random);
    task.emit(retryNotice(task, failure, { retries, delay }));
    await clock.sleep(delay, task.signal);
  }
}

/** Waits for a promise, or for the signal if that is first. */
async function untilAborted(done: Promise<void>, signal: AbortSignal): Promise<void> {
  const stop = new AbortController();
  const aborted = once(signal, "abort", { signal: stop.signal }).catch(() => undefined);
  await (signal.aborted ? undefined : Promise.race([done, aborted]));
  stop.abort();
}

/** Reads the items of a response. If `read` returns a promise, the stream pauses until it resolves. */
export interface StreamReader {
  read(item: StreamItem): Promise<void> | undefined;
}

/** Makes one request and hands its response to the reader. */
export async function readResponse(
  task: Task,
  { prompt, context, reader }: { prompt: Prompt; context: TurnContext; reader: StreamReader },
): Promise<void> {
  const { log, model, queues } = task.session.parts;
  const { hooks } = task.session;
  log.append({ type: "turn_context", payload: toTurnContextItem(context) });
  const refused = await hooks?.beforeRequest(task, context);
  if (refused !== undefined) {
    reader.read({ type: "failed", failure: refusedByHook(refused) });
    return;
  }
  let last: StreamItem | undefined;
  for await (const batch of model.stream(prompt, task.signal)) {
    for (const item of batch) {
      const wait = reader.read(item);
      if (wait !== undefined) await wait;
    }
    last = batch.at(-1) ?? last;
    // Once per batch, not per item: this is the hot path.
    const room = queues.room?.();
    if (room !== undefined) await untilAborted(room, task.signal);
  }
  await hooks?.afterRequest(task, context, last);
}

function refusedByHook(reason: string): ModelFailure {
  const message = `A PreModelRequest hook blocked the request to the model: ${reason}`;
  return { kind: "invalid_prompt", message, retryable: false };
}
