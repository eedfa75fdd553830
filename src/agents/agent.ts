import type { Op, ReasoningEffort } from "../protocol/types.js";

/** Status of an agent: running, or how its last turn ended. */
export type AgentStatus =
  | "pending_init"
  | "running"
  | "interrupted"
  | { completed: string | null }
  | { errored: string }
  | "shutdown"
  | "not_found";

/** The conversation of an agent while it is loaded. */
export interface AgentThread {
  submit(op: Op): void;
  /** `isAsked` if the model closes it, so that clients are notified. */
  close(options?: { isAsked: boolean }): Promise<void>;
}

/** An agent: a conversation of the model that the user, or another agent, started. */
export interface Agent {
  /** `/root` for the conversation of the user, `/root/NAME` for its children, and so on. */
  readonly path: string;
  readonly threadId: string;
  readonly parent: Agent | undefined;
  /** 0 for the root. */
  readonly depth: number;
  /** Name for people. */
  readonly nickname: string | undefined;
  /** Generation of the tools that started it; agents of the first one have no names for the model. */
  readonly generation: 1 | 2;
  readonly role: string | undefined;
  /** Model and effort that it was started with; unset for the root and recorded agents. */
  readonly model?: string | undefined;
  readonly effort?: ReasoningEffort | undefined;
  status: AgentStatus;
  /** Turns in which it was given its last task: that of the user, and that of its parent. */
  givenIn?: { rootTurnId: string; parentTurnId: string };
  /** Undefined once the thread is closed; the agent can be loaded again. */
  thread: AgentThread | undefined;
}

/** A text from one agent for another, as it travels in an op. */
export type AgentMail = Extract<Op, { type: "inter_agent_communication" }>;

/** Path of the conversation of the user. */
export const rootPath = "/root";

/** Returns true if a turn of the agent is active or about to start. */
export function isWorking({ status }: Pick<Agent, "status">): boolean {
  return status === "running" || status === "pending_init";
}
