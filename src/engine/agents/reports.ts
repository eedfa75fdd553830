import type { Agent, AgentStatus } from "../../agents/index.js";
import type { ReasoningEffort, ResponseItem, TurnItem } from "../../protocol/types.js";
import { userMessage } from "../messages.js";

/** Kind of something that happened to an agent of the second generation. */
export type ActivityKind = Extract<TurnItem, { type: "SubAgentActivity" }>["kind"];

/** Returns the item with which clients learn what happened to an agent. */
export function activityItem(
  id: string,
  kind: ActivityKind,
  { threadId, path }: Pick<Agent, "threadId" | "path">,
  { model, effort }: { model?: string | undefined; effort?: ReasoningEffort | undefined } = {},
): TurnItem {
  return {
    type: "SubAgentActivity",
    id,
    kind,
    agent_thread_id: threadId,
    agent_path: path,
    ...(model === undefined ? {} : { model }),
    ...(effort === undefined ? {} : { reasoning_effort: effort }),
  };
}

/** Returns the answer that the end of a turn stands for; undefined if there is none. */
export function answerOf(status: AgentStatus): string | undefined {
  if (typeof status !== "object") return undefined;
  return "completed" in status ? (status.completed ?? "") : `Agent errored: ${status.errored}`;
}

/** Returns the message with which a model of the first generation learns how an agent ended. */
export function endNotice({ threadId, status }: Pick<Agent, "threadId" | "status">): ResponseItem {
  const text = JSON.stringify({ agent_path: threadId, status });
  return userMessage(`<${noticeTag}>\n${text}\n</${noticeTag}>`);
}

/** Counts the ends of an agent of the first generation that a conversation contains. */
export function noticesIn(items: readonly ResponseItem[], threadId: string): number {
  const start = `<${noticeTag}>\n{"agent_path":"${threadId}",`;
  return items.filter(
    (item) =>
      item.type === "message" &&
      item.content.some((part) => part.type === "input_text" && part.text.startsWith(start)),
  ).length;
}

const noticeTag = "subagent_notification";
