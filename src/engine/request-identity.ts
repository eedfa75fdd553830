import type { Prompt } from "../model/types.js";
import type { SandboxPolicy } from "../protocol/types.js";
import type { Conversation } from "./conversation.js";
import type { Task } from "./task.js";

/** To which conversation and turn a request belongs, as its headers say it. */
export function requestIdentity(
  task: Task,
  conversation: Conversation,
  kind: "turn" | "compaction" = "turn",
): Pick<Prompt, "conversationId" | "headers" | "metadata"> {
  const { session } = task;
  const { id = session.id, turnId = task.turnId, subagent } = conversation;
  const { turnMetadata } = session.parts.era.model;
  if (turnMetadata === "none") return { conversationId: id };
  const { sandbox_policy, model, family, effort = family.defaultEffort } = conversation.context;
  const own = subagent === undefined ? {} : { "x-openai-subagent": subagent };
  const sandbox = sandboxName(sandbox_policy, session.parts.platform);
  if (turnMetadata === "short") {
    const metadata = JSON.stringify({ turn_id: turnId, sandbox });
    return { conversationId: id, headers: { ...own, "x-codex-turn-metadata": metadata } };
  }
  const installation_id = session.parts.installationId;
  const window_id = `${id}:${session.windows.number}`;
  const metadata = JSON.stringify({
    installation_id,
    session_id: id,
    thread_id: id,
    agent_name: "/root",
    turn_id: turnId,
    window_id,
    window_number: session.windows.number,
    context_window_id: session.windows.id,
    request_kind: kind,
    history_initialization: session.windows.beginning,
    root_turn_id: turnId,
    sandbox,
    sandbox_mode: sandbox_policy.mode,
    auto_review_enabled: false,
    node_repl_auto_review_required: false,
    node_repl_disabled: false,
    turn_started_at_unix_ms: task.startedAt,
    // What that version sends when nobody has refused it; nothing is collected here.
    analytics_enabled: true,
    ...(kind === "turn"
      ? { model, ...(effort === undefined ? {} : { reasoning_effort: effort }) }
      : { compaction: manualCompaction }),
    ...(session.parts.source === "exec" && { thread_source: "user", turn_trigger: "exec" }),
  });
  const told = { "x-codex-turn-metadata": metadata, "x-codex-window-id": window_id };
  return {
    conversationId: id,
    headers: { ...own, ...told },
    metadata: {
      ...told,
      "x-codex-installation-id": installation_id,
      session_id: id,
      thread_id: id,
      turn_id: turnId,
      root_turn_id: turnId,
    },
  };
}

const manualCompaction = {
  trigger: "manual",
  reason: "user_requested",
  implementation: "responses",
  phase: "standalone_turn",
  strategy: "memento",
};

/** What confines commands, by the names that the model's servers know. */
function sandboxName({ mode }: SandboxPolicy, platform: NodeJS.Platform): string {
  if (mode === "danger-full-access") return "none";
  if (mode === "external-sandbox") return "external";
  if (platform === "darwin") return "seatbelt";
  return platform === "win32" ? "windows_sandbox" : "seccomp";
}
