import Type, { type Static } from "typebox";

const codexErrorInfo = Type.Optional(
  Type.Unknown({ description: "What went wrong, in a form for programs." }),
);

export const ErrorEvent = Type.Object(
  {
    type: Type.Literal("error"),
    message: Type.String({ description: "What went wrong, for the user." }),
    codex_error_info: codexErrorInfo,
  },
  { $id: "ErrorEvent", description: "Something failed and was given up." },
);
export interface ErrorEvent extends Static<typeof ErrorEvent> {}

export const WarningEvent = Type.Object(
  {
    type: Type.Literal("warning"),
    message: Type.String({ description: "What the user should know." }),
  },
  { $id: "WarningEvent", description: "Something is not as it should be, but work goes on." },
);
export interface WarningEvent extends Static<typeof WarningEvent> {}

export const StreamErrorEvent = Type.Object(
  {
    type: Type.Literal("stream_error"),
    message: Type.String({ description: "What failed, and when it is tried again." }),
    codex_error_info: codexErrorInfo,
    additional_details: Type.Optional(Type.String({ description: "The cause in more detail." })),
  },
  { $id: "StreamErrorEvent", description: "A request to the model failed and is repeated." },
);
export interface StreamErrorEvent extends Static<typeof StreamErrorEvent> {}

export const BackgroundEvent = Type.Object(
  {
    type: Type.Literal("background_event"),
    message: Type.String({ description: "What happens." }),
  },
  { $id: "BackgroundEvent", description: "A note on what the engine does meanwhile." },
);
export interface BackgroundEvent extends Static<typeof BackgroundEvent> {}

export const ShutdownCompleteEvent = Type.Object(
  { type: Type.Literal("shutdown_complete") },
  { $id: "ShutdownCompleteEvent", description: "The engine has ended; no event follows." },
);
export interface ShutdownCompleteEvent extends Static<typeof ShutdownCompleteEvent> {}

export const SubmissionAcceptedEvent = Type.Object(
  {
    type: Type.Literal("submission_accepted"),
    turn_id: Type.Optional(Type.String({ description: "The turn that it has joined." })),
  },
  {
    $id: "SubmissionAcceptedEvent",
    description: "What the submission asked is done, where no other event says so.",
  },
);
export interface SubmissionAcceptedEvent extends Static<typeof SubmissionAcceptedEvent> {}
