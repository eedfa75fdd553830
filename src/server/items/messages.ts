import type {
  AgentMessageItem,
  MessagePhase,
  ThreadItem,
  UserMessageItem,
  WebSearchItem,
} from "../../protocol/rpc/v2/item.js";
import type { WebSearchAction } from "../../protocol/rpc/v2/item-parts.js";
import type { TurnPlan } from "../../protocol/rpc/v2/turn.js";
import type { UserInput } from "../../protocol/rpc/v2/user-input.js";
import type {
  AgentMessageTurnItem,
  InputItem,
  PlanUpdateEvent,
  TurnItem,
} from "../../protocol/types.js";

/** Converts an item of the engine to v2. */
export function toThreadItem(item: TurnItem): ThreadItem {
  const { id } = item;
  switch (item.type) {
    case "UserMessage":
      return toUserMessageItem(id, item.content, item.client_id);
    case "AgentMessage":
      return toAgentMessageItem(item);
    case "Plan":
      return { type: "plan", id, text: item.text };
    case "Reasoning":
      return { type: "reasoning", id, summary: item.summary_text, content: item.raw_content ?? [] };
    case "WebSearch":
      return toWebSearchItem(id, item.query, item.action);
    case "ImageGeneration":
      return {
        type: "imageGeneration",
        id,
        status: item.status,
        revisedPrompt: item.revised_prompt ?? null,
        failure: null,
        ...(item.saved_path === undefined ? {} : { savedPath: item.saved_path }),
        generationId: null,
        result: item.result,
      };
    case "ContextCompaction":
      return { type: "contextCompaction", id };
    case "HookPrompt":
      return { type: "hookPrompt", id, fragments: item.fragments };
    case "SubAgentActivity":
      return {
        type: "subAgentActivity",
        id,
        kind: item.kind,
        agentThreadId: item.agent_thread_id,
        agentPath: item.agent_path,
        model: item.model ?? null,
        reasoningEffort: item.reasoning_effort ?? null,
      };
    case "CollabAgentToolCall":
      return {
        type: "collabAgentToolCall",
        id,
        tool: item.tool,
        status: item.status,
        senderThreadId: item.sender_thread_id,
        receiverThreadIds: item.receiver_thread_ids,
        prompt: item.prompt ?? null,
        model: item.model ?? null,
        reasoningEffort: item.reasoning_effort ?? null,
        agentsStates: item.agents_states,
      };
    case "FunctionCallOutput": {
      const { name, namespace = null, output } = item;
      return { type: "functionCallOutput", id, name, namespace, output };
    }
    case "AnsweredQuestions":
      return { type: "answeredQuestions", id, questions: item.questions };
    case "Sleep":
      return { type: "sleep", id, durationMs: item.duration_ms };
  }
}

const phases: readonly MessagePhase[] = ["commentary", "partial_answer", "final_answer"];

/** Converts a message of the model. */
function toAgentMessageItem(item: AgentMessageTurnItem): AgentMessageItem {
  const { id, content, phase, delivery = null, questions = null } = item;
  return {
    type: "agentMessage",
    id,
    text: content.map(({ text }) => text).join(""),
    phase: phases.find((known) => known === phase) ?? null,
    memoryCitation: null,
    delivery,
    questions,
  };
}

type EngineAction = Extract<TurnItem, { type: "WebSearch" }>["action"];

/** Converts a web search of the model. */
export function toWebSearchItem(id: string, query: string, action: EngineAction): WebSearchItem {
  return { type: "webSearch", id, query, action: toAction(action), results: null };
}

function toAction(action: EngineAction): WebSearchAction | null {
  switch (action?.type) {
    case undefined:
      return null;
    case "search":
      return { type: "search", query: action.query ?? null, queries: action.queries ?? null };
    case "open_page":
      return { type: "openPage", url: action.url ?? null };
    case "find_in_page":
      return { type: "findInPage", url: action.url ?? null, pattern: action.pattern ?? null };
    default:
      return { type: "other" };
  }
}

/** Converts a message of the user. */
export function toUserMessageItem(
  id: string,
  content: readonly InputItem[],
  clientId: string | null = null,
): UserMessageItem {
  return { type: "userMessage", id, clientId, content: content.map(toUserInput) };
}

/** Converts a part of user input to v2. */
export function toUserInput(item: InputItem): UserInput {
  switch (item.type) {
    case "text":
      return {
        type: "text",
        text: item.text,
        text_elements: (item.text_elements ?? []).map(({ byte_range, placeholder }) => ({
          byteRange: byte_range,
          placeholder: placeholder ?? null,
        })),
      };
    case "image":
      return { type: "image", url: item.image_url };
    case "local_image":
      return { type: "localImage", path: item.path };
    case "skill":
    case "mention":
      return { type: item.type, name: item.name, path: item.path };
    case "tool_output":
      throw new Error("An output of a tool is an item, not a part of a message");
  }
}

/** Converts a part of user input from v2 to the engine. */
export function toInputItem(input: UserInput): InputItem {
  switch (input.type) {
    case "text":
      return {
        type: "text",
        text: input.text,
        ...(input.text_elements === undefined || input.text_elements.length === 0
          ? {}
          : {
              text_elements: input.text_elements.map(({ byteRange, placeholder }) => ({
                byte_range: byteRange,
                ...(placeholder == null ? {} : { placeholder }),
              })),
            }),
      };
    case "image":
      return { type: "image", image_url: input.url };
    case "localImage":
      return { type: "local_image", path: input.path };
    case "skill":
    case "mention":
      return { type: input.type, name: input.name, path: input.path };
  }
}

/** Converts a plan to v2. */
export function toTurnPlan({ explanation, plan }: PlanUpdateEvent): TurnPlan {
  return {
    explanation: explanation ?? null,
    plan: plan.map(({ step, status }) => ({
      step,
      status: status === "in_progress" ? "inProgress" : status,
    })),
  };
}
