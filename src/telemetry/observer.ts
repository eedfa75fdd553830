import type { ModelClient } from "../model/index.js";
import type { Event, Submission, TraceContext } from "../protocol/types.js";
import type { ToolBox } from "../tools/index.js";
import type { Variables } from "./variables.js";

/** A session to observe. */
export interface ObservedSession {
  /** Id of the thread. */
  id: string;
  /** Name of the agent; undefined for the conversation of the user. */
  agent: string | undefined;
  /** Shows the user a warning. */
  warn(message: string): void;
}

/**
 * Measures one session.
 *
 * It reads what passes between the session and its client, its model and its tools, and changes
 * none of it, except that requests to the model carry the trace context.
 */
export interface SessionObserver {
  onSubmission(submission: Submission): void;
  /** Wraps the queues so that each event is observed when it is published. */
  queues<Queues extends { publish(event: Event): void }>(queues: Queues): Queues;
  model(client: ModelClient): ModelClient;
  tools(box: ToolBox): ToolBox;
  /** The session has ended. */
  close(): void;
}

/**
 * Access to the running span, for the programs that the engine starts.
 *
 * Its functions are unset until telemetry is on, so that they cost nothing before.
 */
export interface Tracing {
  /** Returns the trace context in which the call runs. */
  current?: () => TraceContext | undefined;
  /** Adds the trace context of a thread to the environment of a command. */
  environmentOf?: (threadId: string, env: Variables) => Variables;
}
