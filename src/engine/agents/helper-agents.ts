import type { AgentControl, AgentMail } from "../../agents/index.js";
import type { Config } from "../../config/index.js";
import type {
  EventMsg,
  Event as ProtocolEvent,
  ResponseItem,
  TurnItem,
} from "../../protocol/types.js";
import type { PendingInput } from "../current-task.js";
import type { SessionParts } from "../parts.js";
import type { TurnContext } from "../turn-context.js";
import type { AnswerOp } from "./forwarded-questions.js";

/** A session as its helper agents see it. */
export interface AgentSession {
  readonly id: string;
  readonly config: Config;
  readonly context: TurnContext;
  readonly history: { readonly items: readonly ResponseItem[] };
  readonly pending: PendingInput;
  readonly parts: SessionParts;
  readonly events: {
    emitIn(place: Pick<ProtocolEvent, "id" | "turn_id" | "item_id">, msg: EventMsg): void;
  };
  /** Messages of the conversation that was resumed, if it was. */
  readonly replayed: readonly EventMsg[];
  deliver(mail: AgentMail): void;
  record(items: readonly ResponseItem[]): void;
}

/** A task as helper agents see it. */
export interface AgentTask {
  readonly id: string;
  readonly turnId: string;
  readonly rootTurnId: string | undefined;
  readonly signal: AbortSignal;
  emitItem(type: "item_started" | "item_completed", item: TurnItem): void;
}

/** The helper agents of a session: those that it has started, and its place in the tree. */
export interface HelperAgents {
  /** Stands for all agents of the conversation. */
  readonly tree: object;
  /** Returns the operations for one tool call of a task. */
  control(task: AgentTask, callId: string): AgentControl;
  /** Passes an answer of the client to the agent that asked; returns false if none did. */
  answer(op: AnswerOp): boolean;
  /** Reports agents that worked when the process of the resumed conversation ended. */
  recover(): Promise<void>;
  /** Interrupts all agents below this one, because the user interrupted it. */
  interruptAll(): void;
  /** Closes the agents that this one has started. */
  close(): Promise<void>;
}
