import Type, { type Static } from "typebox";
import {
  CollaborationMode,
  Personality,
  ReasoningEffort,
  ReasoningSummary,
} from "../../config-types.js";
import { FunctionCallOutput } from "../../items/content.js";
import { ApprovalsReviewer } from "../../policy.js";
import { described, experimental, Nullable, Nullish, since } from "../../schema.js";
import { defineMethod, defineNotification } from "../declare.js";
import { EmptyResponse } from "./common.js";
import { ThreadItem } from "./item.js";
import { AskForApproval, SandboxPolicy } from "./policy.js";
import { UserInput } from "./user-input.js";

const threadId = Type.String({ description: "Thread id." });
const turnId = Type.String({ description: "Turn id." });

export const TurnStatus = Type.Enum(["completed", "interrupted", "failed", "inProgress"], {
  $id: "TurnStatus",
  description: "Status of a turn.",
});
/** Status of a turn. */
export type TurnStatus = Static<typeof TurnStatus>;

export const TurnError = Type.Object(
  {
    message: Type.String({ description: "Error message for the user." }),
    codexErrorInfo: Type.Unknown({
      description:
        "Machine-readable error: a code such as `unauthorized`, or an object with the code as its only key; null if there is none.",
    }),
    additionalDetails: Nullable(Type.String(), { description: "Details of the cause." }),
    misalignment: since("0.166", Type.Null({ description: "Always null." })),
  },
  { $id: "TurnError", description: "Error of a failed turn." },
);
export interface TurnError extends Static<typeof TurnError> {}

export const TurnItemsView = Type.Enum(["notLoaded", "summary", "full"], {
  $id: "TurnItemsView",
  description: "Items that are included in a turn.",
});
/** Items that are included in a turn. */
export type TurnItemsView = Static<typeof TurnItemsView>;

export const TurnPlanStepStatus = Type.Enum(["pending", "inProgress", "completed"], {
  $id: "TurnPlanStepStatus",
  description: "Status of a plan step.",
});
/** Status of a plan step. */
export type TurnPlanStepStatus = Static<typeof TurnPlanStepStatus>;

export const TurnPlanStep = Type.Object(
  {
    step: Type.String({ description: "Text of the step." }),
    status: described(TurnPlanStepStatus, "Status."),
  },
  { $id: "TurnPlanStep", description: "A step of the plan." },
);
export interface TurnPlanStep extends Static<typeof TurnPlanStep> {}

const planFields = {
  explanation: Nullable(Type.String(), { description: "Explanation of the change." }),
  plan: Type.Array(TurnPlanStep, { description: "Steps in order." }),
};

export const TurnPlan = Type.Object(planFields, {
  $id: "TurnPlan",
  description: "The plan of a turn.",
});
export interface TurnPlan extends Static<typeof TurnPlan> {}

export const Turn = Type.Object(
  {
    id: Type.String({ description: "Turn id." }),
    rootTurnId: since("0.166", Nullable(Type.String(), { description: "Root turn id." })),
    items: Type.Array(ThreadItem, { description: "Items, as selected by `itemsView`." }),
    itemsView: since("0.166", described(TurnItemsView, "Items that are included.")),
    status: described(TurnStatus, "Status."),
    error: Nullable(TurnError, { description: "Error message." }),
    startedAt: since(
      "0.166",
      Nullable(Type.Integer(), { description: "Start time in Unix seconds." }),
    ),
    completedAt: since(
      "0.166",
      Nullable(Type.Integer(), { description: "End time in Unix seconds." }),
    ),
    durationMs: since("0.166", Nullable(Type.Integer(), { description: "Duration." })),
    responseId: since(
      "current",
      Nullable(Type.String(), {
        description: "Last response id; pass it as `lastResponseId` to continue from it.",
      }),
    ),
    plan: since(
      "current",
      Type.Optional(described(TurnPlan, "Its last plan, if it is recorded and has one.")),
    ),
  },
  { $id: "Turn", description: "A turn: from user input to the final answer." },
);
export interface Turn extends Static<typeof Turn> {
  items: ThreadItem[];
}

const input = Type.Array(UserInput, { description: "User input." });
const clientUserMessageId = Nullish(Type.String(), {
  description: "Message id chosen by the client, returned as `clientId` of the item.",
});

export const AdditionalContextEntry = Type.Object(
  {
    value: Type.String({ description: "Text." }),
    kind: Type.Enum(["untrusted", "application"], {
      description:
        "`untrusted`: data, sent as a message of the user; `application`: instructions of the client, sent as a developer message.",
    }),
  },
  { $id: "AdditionalContextEntry", description: "A text that precedes the input." },
);
export interface AdditionalContextEntry extends Static<typeof AdditionalContextEntry> {}

const additionalContext = experimental(
  "0.166",
  Nullish(Type.Record(Type.String(), AdditionalContextEntry), {
    description: "Texts that precede the input, by the name of their source.",
  }),
);

export const TurnToolOutput = Type.Object(
  {
    name: Type.String({ description: "Name of the tool." }),
    namespace: Nullish(Type.String(), { description: "Namespace of the tool." }),
    output: described(FunctionCallOutput, "Its output."),
    retain: Nullish(Type.Boolean(), { description: "True to keep it when history is compacted." }),
  },
  { $id: "TurnToolOutput", description: "Output of a tool of the client." },
);
export interface TurnToolOutput extends Static<typeof TurnToolOutput> {}

export const TurnStartParams = Type.Object(
  {
    threadId,
    input,
    clientUserMessageId,
    cwd: Nullish(Type.String(), { description: "Working directory of this and later turns." }),
    approvalPolicy: described(Type.Optional(AskForApproval), "Approval policy."),
    approvalsReviewer: described(
      Type.Optional(ApprovalsReviewer),
      "Reviewer of approval requests.",
    ),
    sandboxPolicy: described(Type.Optional(SandboxPolicy), "Sandbox policy."),
    sandbox: described(
      Type.Optional(SandboxPolicy),
      "Alias of `sandboxPolicy`. If both are set, they must be equal.",
    ),
    permissions: experimental(
      "0.166",
      Nullish(Type.String(), {
        description:
          "Permission profile, instead of `sandboxPolicy`; it also applies to later turns. What the profile of the thread denies stays denied.",
      }),
    ),
    model: Nullish(Type.String(), { description: "Model name." }),
    serviceTier: Nullish(Type.String(), { description: "Service tier." }),
    effort: described(Type.Optional(ReasoningEffort), "Reasoning effort."),
    summary: described(Type.Optional(ReasoningSummary), "Detail of the reasoning summary."),
    personality: described(Type.Optional(Personality), "Personality of the model."),
    collaborationMode: experimental(
      "0.104",
      described(
        Type.Optional(CollaborationMode),
        "Collaboration mode; takes precedence over `model` and `effort`.",
      ),
    ),
    outputSchema: Type.Optional(
      Type.Unknown({ description: "JSON Schema that the final message of the turn must match." }),
    ),
    additionalContext,
    toolOutput: experimental(
      "0.166",
      Nullish(TurnToolOutput, {
        description: "Output of a tool that the model did not call, in place of `input`.",
      }),
    ),
    lastResponseId: Nullish(Type.String(), {
      description:
        "`responseId` to continue from, of this or any other recorded thread, instead of the latest response. Replaces the active turn.",
    }),
  },
  {
    $id: "TurnStartParams",
    description: "Params of `turn/start`. Settings also apply to later turns.",
  },
);
export interface TurnStartParams extends Static<typeof TurnStartParams> {}

export const TurnStartResponse = Type.Object(
  { turn: described(Turn, "The started turn.") },
  { $id: "TurnStartResponse", description: "Result of `turn/start`." },
);
export interface TurnStartResponse extends Static<typeof TurnStartResponse> {
  turn: Turn;
}

export const TurnSteerParams = Type.Object(
  {
    threadId,
    input,
    clientUserMessageId,
    expectedTurnId: Type.String({
      description: "Id of the active turn; fails if another turn is active.",
    }),
    additionalContext,
  },
  { $id: "TurnSteerParams", description: "Params of `turn/steer`." },
);
export interface TurnSteerParams extends Static<typeof TurnSteerParams> {}

export const TurnSteerResponse = Type.Object(
  { turnId: Type.String({ description: "Turn that the input was added to." }) },
  { $id: "TurnSteerResponse", description: "Result of `turn/steer`." },
);
export interface TurnSteerResponse extends Static<typeof TurnSteerResponse> {}

export const TurnInterruptParams = Type.Object(
  { threadId, turnId: Type.String({ description: "Turn to interrupt." }) },
  { $id: "TurnInterruptParams", description: "Params of `turn/interrupt`." },
);
export interface TurnInterruptParams extends Static<typeof TurnInterruptParams> {}

export const TurnStartedNotification = Type.Object(
  { threadId, turn: described(Turn, "Turn id.") },
  { $id: "TurnStartedNotification", description: "A turn started." },
);
export interface TurnStartedNotification extends Static<typeof TurnStartedNotification> {
  turn: Turn;
}

export const TurnCompletedNotification = Type.Object(
  { threadId, turn: described(Turn, "The turn with its final status.") },
  { $id: "TurnCompletedNotification", description: "A turn completed, failed or was interrupted." },
);
export interface TurnCompletedNotification extends Static<typeof TurnCompletedNotification> {
  turn: Turn;
}

export const TurnDiffUpdatedNotification = Type.Object(
  {
    threadId,
    turnId,
    diff: Type.String({ description: "Unified diff of all changes of the turn." }),
  },
  { $id: "TurnDiffUpdatedNotification", description: "The aggregated diff of the turn changed." },
);
export interface TurnDiffUpdatedNotification extends Static<typeof TurnDiffUpdatedNotification> {}

export const TurnPlanUpdatedNotification = Type.Object(
  {
    threadId,
    turnId,
    ...planFields,
  },
  { $id: "TurnPlanUpdatedNotification", description: "The plan of the turn changed." },
);
export interface TurnPlanUpdatedNotification extends Static<typeof TurnPlanUpdatedNotification> {}

export const ErrorNotification = Type.Object(
  {
    error: described(TurnError, "Error output."),
    willRetry: Type.Boolean({
      description: "True if the request is retried and the turn continues.",
    }),
    threadId,
    turnId,
  },
  { $id: "ErrorNotification", description: "An error in a turn." },
);
export interface ErrorNotification extends Static<typeof ErrorNotification> {}

export const turnMethods = [
  defineMethod({
    name: "turn/start",
    summary: "Starts a turn with user input.",
    scope: "thread",
    params: TurnStartParams,
    result: TurnStartResponse,
  }),
  defineMethod({
    name: "turn/steer",
    summary: "Adds user input to the active turn.",
    scope: "thread",
    params: TurnSteerParams,
    result: TurnSteerResponse,
  }),
  defineMethod({
    name: "turn/interrupt",
    summary: "Interrupts the active turn.",
    scope: "thread",
    params: TurnInterruptParams,
    result: EmptyResponse,
  }),
  defineNotification({
    name: "turn/started",
    summary: "A turn started.",
    scope: "thread",
    params: TurnStartedNotification,
  }),
  defineNotification({
    name: "turn/completed",
    summary: "A turn completed, failed or was interrupted.",
    scope: "thread",
    params: TurnCompletedNotification,
  }),
  defineNotification({
    name: "turn/diff/updated",
    summary: "The aggregated diff of the turn changed.",
    scope: "thread",
    params: TurnDiffUpdatedNotification,
  }),
  defineNotification({
    name: "turn/plan/updated",
    summary: "The plan of the turn changed.",
    scope: "thread",
    params: TurnPlanUpdatedNotification,
  }),
  defineNotification({
    name: "error",
    summary: "A turn failed, or a request to the model failed and will be retried.",
    scope: "thread",
    params: ErrorNotification,
  }),
];
