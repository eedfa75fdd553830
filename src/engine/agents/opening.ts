import { rootPath } from "../../agents/index.js";
import type { ResponseItem } from "../../protocol/types.js";
import { developerMessage } from "../messages.js";
import type { AgentContext } from "../parts.js";

/** Returns the messages that explain helper agents to the model, and its own place among them. */
export function agentMessages(agent: AgentContext | undefined): ResponseItem[] {
  return [
    developerMessage(`<multi_agent_role>${roleText(agent)}</multi_agent_role>`),
    developerMessage(`<multi_agent_mode>${modeText}</multi_agent_mode>`),
  ];
}

function roleText(agent: AgentContext | undefined): string {
  if (agent === undefined) {
    return `You are the agent ${rootPath}, to whom the user speaks. Agents that you start work for you: what they find or change is yours to check and to report.`;
  }
  const { path, parent } = agent.self;
  return `You are the agent ${path}. The agent ${parent?.path ?? rootPath} gave you your task; the user does not see what you write. End with an answer that has all it needs to know: your last message is delivered to it.`;
}

const modeText =
  "Start helper agents only if the user asks for them, or for several agents at once, or if instructions of the project do. Otherwise work alone.";
