import type { AgentControl } from "../../agents/index.js";
import type { ToolContext } from "../tool.js";

/** Returns the operations on helper agents of a call. */
export async function controlOf({ agents }: ToolContext): Promise<AgentControl> {
  if (agents === undefined) throw new Error("Helper agents are not available here");
  return agents();
}
