import Type, { type Static } from "typebox";
import { described, since } from "../schema.js";
import { Op } from "./ops.generated.js";

export const TraceContext = Type.Object(
  {
    traceparent: Type.String({ description: "Version, trace id, span id and flags, in hex." }),
    tracestate: Type.Optional(Type.String({ description: "Values of tracing systems." })),
  },
  { $id: "TraceContext", description: "Position in a trace, as defined by W3C Trace Context." },
);
export interface TraceContext extends Static<typeof TraceContext> {}

export const Submission = Type.Object(
  {
    id: Type.String({
      description: "Chosen by the client; the resulting events carry the same id.",
    }),
    op: described(Op, "The op."),
    trace: since(
      "0.166",
      Type.Optional(described(TraceContext, "Span of the client that the op is a part of.")),
    ),
  },
  { $id: "Submission", description: "A message from the client to the engine." },
);
export interface Submission extends Static<typeof Submission> {
  op: Op;
  trace?: TraceContext;
}
