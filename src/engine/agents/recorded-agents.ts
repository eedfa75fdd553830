import type { Agent } from "../../agents/index.js";
import { findRollout as findById } from "../../rollout/index.js";
import type { Session } from "../session.js";

/** Agents of a recorded conversation, which can be given tasks again. */
export async function recordedAgents(
  _session: Session,
): Promise<Omit<Agent, "thread" | "parent" | "depth">[]> {
  return [];
}

/** Finds the log of an agent. */
export function findRollout({ config }: Session, threadId: string): Promise<string | undefined> {
  return findById(config.home, threadId);
}
