import type { Op, TraceContext } from "../../protocol/types.js";
import type { Span, StartedTelemetry } from "../../telemetry/index.js";
import type { SentSubmission } from "../broker.js";

/** Trace of a submission on its way to a worker. */
export interface SentTrace {
  /** Context that travels with the submission. */
  context: TraceContext | undefined;
  /** Called when the submission is stored, or cannot be stored. */
  end(error?: string): void;
}

/**
 * Returns the trace context of a submission, which is that of its client.
 *
 * A turn without one begins its trace here, so that it is one trace whichever workers run it.
 */
export function startTrace(
  started: StartedTelemetry | undefined,
  { id, op, trace }: SentSubmission,
  threadId: string,
): SentTrace {
  const none = { context: trace, end() {} };
  if (started === undefined) return none;
  const { telemetry, settings } = started;
  if (!settings.isPropagated) return { ...none, context: undefined };
  if (trace !== undefined || !startsTurn.has(op.type)) return none;
  const span: Span = telemetry.startSpan("send turn", {
    kind: "producer",
    parent: settings.parent,
    attributes: {
      "messaging.operation.type": "send",
      "messaging.destination.name": "submissions",
      "gen_ai.conversation.id": threadId,
      "quire.turn.id": id,
    },
  });
  return { context: span.context, end: (error) => span.end(error) };
}

const startsTurn: ReadonlySet<Op["type"]> = new Set<Op["type"]>([
  "user_turn",
  "user_input",
  "review",
  "compact",
]);
