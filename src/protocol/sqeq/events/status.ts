import Type, { type Static } from "typebox";
import { since } from "../../schema.js";

const codexErrorInfo = since(
  "0.104",
  Type.Optional(Type.Unknown({ description: "Machine-readable error details." })),
);

export const ErrorEvent = Type.Object(
  {
    type: Type.Literal("error"),
    message: Type.String({ description: "Error message for the user." }),
    codex_error_info: codexErrorInfo,
  },
  { $id: "ErrorEvent", description: "An operation failed." },
);
export interface ErrorEvent extends Static<typeof ErrorEvent> {}

export const WarningEvent = Type.Object(
  {
    type: Type.Literal("warning"),
    message: Type.String({ description: "Message for the user." }),
  },
  { $id: "WarningEvent", description: "A problem that does not stop the turn." },
);
export interface WarningEvent extends Static<typeof WarningEvent> {}

export const StreamErrorEvent = Type.Object(
  {
    type: Type.Literal("stream_error"),
    message: Type.String({ description: "Error and retry message." }),
    codex_error_info: codexErrorInfo,
    additional_details: Type.Optional(Type.String({ description: "Details of the cause." })),
  },
  { $id: "StreamErrorEvent", description: "A request to the model failed and is being retried." },
);
export interface StreamErrorEvent extends Static<typeof StreamErrorEvent> {}

export const BackgroundEvent = Type.Object(
  {
    type: Type.Literal("background_event"),
    message: Type.String({ description: "Message." }),
  },
  { $id: "BackgroundEvent", description: "A note on background work of the engine." },
);
export interface BackgroundEvent extends Static<typeof BackgroundEvent> {}

export const ShutdownCompleteEvent = Type.Object(
  { type: Type.Literal("shutdown_complete") },
  { $id: "ShutdownCompleteEvent", description: "The engine has shut down; the last event." },
);
export interface ShutdownCompleteEvent extends Static<typeof ShutdownCompleteEvent> {}

export const SubmissionAcceptedEvent = since(
  "current",
  Type.Object(
    {
      type: Type.Literal("submission_accepted"),
      turn_id: Type.Optional(Type.String({ description: "Turn that the input was added to." })),
    },
    {
      $id: "SubmissionAcceptedEvent",
      description: "The submission was processed; sent for ops without another response.",
    },
  ),
);
export interface SubmissionAcceptedEvent extends Static<typeof SubmissionAcceptedEvent> {}
