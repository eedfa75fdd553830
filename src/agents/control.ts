import type { ReasoningEffort } from "../protocol/types.js";
import type { Agent, AgentStatus } from "./agent.js";

/** A request of the model for a new agent. */
export interface SpawnRequest {
  /** Last part of its path; agents of the first generation have none, and get one. */
  name?: string;
  /** Its task. */
  message: string;
  /** Turns of the conversation that it starts with. */
  history: "all" | "none" | number;
  model?: string | undefined;
  effort?: ReasoningEffort | undefined;
  role?: string | undefined;
  /** Delivers the task as input of a user, as models of the first generation expect. */
  asUserInput?: boolean;
}

/** Reason for the end of a wait. */
export type WaitOutcome = "message" | "input" | "timeout";

/** Operations of an agent on its tree, in one tool call. Errors are texts for the model. */
export interface AgentControl {
  readonly self: Agent;
  /** Starts an agent and gives it its task. */
  spawn(request: SpawnRequest): Promise<Agent | string>;
  /** Finds an agent by a path or, in the first generation, by the id of its thread. */
  find(target: string): Promise<Agent | undefined>;
  /** Sends a message that waits for the next turn of its recipient, or one that starts a turn. */
  send(recipient: Agent, text: string, wakes: boolean): Promise<string | undefined>;
  interrupt(agent: Agent): AgentStatus;
  close(agent: Agent): Promise<AgentStatus>;
  /** Loads an agent that was closed; returns the reason if it cannot be. */
  resume(agent: Agent): Promise<string | undefined>;
  list(prefix?: string): Agent[];
  /** Waits for a message to this agent, input of the user, or the end of the time. */
  wait(timeoutMs: number): Promise<WaitOutcome>;
  /** Waits until one of some agents has ended its turn; returns false if the time is over before. */
  waitFor(agents: readonly Agent[], timeoutMs: number): Promise<boolean>;
}
