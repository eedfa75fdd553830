import { rootPath } from "../../agents/index.js";
import type { ResponseItem } from "../../protocol/types.js";
import { developerMessage } from "../messages.js";
import type { AgentContext } from "../parts.js";
import type { TurnContext } from "../turn-context.js";

/** Returns the messages that explain helper agents to the model, and its own place among them. */
export function agentMessages(
  agent: AgentContext | undefined,
  context: Pick<TurnContext, "effort">,
): ResponseItem[] {
  return [
    developerMessage(`<multi_agent_role>${roleText(agent)}</multi_agent_role>`),
    agentModeMessage(context),
  ];
}

/** Returns the message that says when to start helper agents. */
export function agentModeMessage(context: Pick<TurnContext, "effort">): ResponseItem {
  const text = startsAgentsUnasked(context) ? unaskedText : askedText;
  return developerMessage(`<multi_agent_mode>${text}</multi_agent_mode>`);
}

/** True if the model may start helper agents when nobody asks for them: the effort `ultra` asks for it. */
export function startsAgentsUnasked({ effort }: Pick<TurnContext, "effort">): boolean {
  return effort === "ultra";
}

function roleText(agent: AgentContext | undefined): string {
  if (agent === undefined) {
    return `You are the agent ${rootPath}, to whom the user speaks. Agents that you start work for you: what they find or change is yours to check and to report.`;
  }
  const { path, parent } = agent.self;
  return `You are the agent ${path}. The agent ${parent?.path ?? rootPath} gave you your task; the user does not see what you write. End with an answer that has all it needs to know: your last message is delivered to it.`;
}

const unaskedText =
  "The user wants a task to be shared among helper agents. From now on start some without being asked whenever parts of your work can be done at the same time, or apart from the rest, and this saves time or makes the result better. What the user says about agents comes first.";

const askedText =
  "Start helper agents only if the user asks for them, or for several agents at once, or if instructions of the project do. Otherwise work alone.";
