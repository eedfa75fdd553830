import type { Agent } from "../../src/agents/index.js";
import type { Step } from "../../src/model/scripted/index.js";

/** A call of a tool for helper agents. */
export function agentCall(name: string, args: object, call_id = name): Step {
  return { call: name, args, call_id, namespace: "collaboration" };
}

/** Starts an agent with a new conversation; its task is `do NAME`. */
export function spawn(task_name: string, more: object = {}): Step {
  const args = { task_name, message: `do ${task_name}`, fork_turns: "none", ...more };
  return agentCall("spawn_agent", args, task_name);
}

/** Waits for a message of an agent. */
export const wait: Step[] = [agentCall("wait_agent", { timeout_ms: 10_000 })];

/** Returns an agent that was started; throws the reason if it was not. */
export function startedAgent(result: Agent | string): Agent {
  if (typeof result === "string") throw new Error(result);
  return result;
}
