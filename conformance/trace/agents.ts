import { isObject, type Json, type ModelRequest } from "./trace.js";

/** Path of the conversation of the user. */
const root = "/root";

/** Returns true if some requests of a trace are those of helper agents. */
export function isOfAgent(requests: readonly ModelRequest[]): boolean {
  return requests.some(({ agent = root }) => agent !== root);
}

/** Returns the path of the agent that made a request: recorded, or that of the last task in it. */
export function agentOf(request: ModelRequest): string {
  if (request.agent !== undefined) return request.agent;
  const input = isObject(request.body) ? request.body.input : undefined;
  const task = Array.isArray(input) ? input.findLast(isTask) : undefined;
  if (isObject(task)) return String(task.recipient);
  return request.headers["x-openai-subagent"] === undefined ? root : unnamed;
}

/** Agents of the first generation have no path. */
const unnamed = `${root}/child1`;

/** Sorts requests by agent; those of one agent keep their order. */
export function byAgent(requests: readonly ModelRequest[]): ModelRequest[] {
  return requests.toSorted((one, other) =>
    agentOf(one) < agentOf(other) ? -1 : Number(agentOf(one) > agentOf(other)),
  );
}

function isTask(item: Json): boolean {
  if (!isObject(item) || item.type !== "agent_message" || !Array.isArray(item.content))
    return false;
  const [head] = item.content;
  return isObject(head) && String(head.text).startsWith("Message Type: NEW_TASK");
}
