import Type, { type Static } from "typebox";
import {
  CollaborationMode,
  Personality,
  ReasoningEffort,
  ReasoningSummary,
} from "../../config-types.js";
import { ApprovalsReviewer } from "../../policy.js";
import { described, Nullable, Nullish } from "../../schema.js";
import { defineMethod, defineNotification } from "../declare.js";
import { EmptyResponse } from "./common.js";
import { ThreadItem } from "./item.js";
import { AskForApproval, SandboxPolicy } from "./policy.js";
import { UserInput } from "./user-input.js";

const threadId = Type.String({ description: "The thread." });
const turnId = Type.String({ description: "The turn." });

export const TurnStatus = Type.Enum(["completed", "interrupted", "failed", "inProgress"], {
  $id: "TurnStatus",
  description: "How far a turn has come.",
});
/** How far a turn has come. */
export type TurnStatus = Static<typeof TurnStatus>;

export const TurnError = Type.Object(
  {
    message: Type.String({ description: "What went wrong, for the user." }),
    codexErrorInfo: Type.Unknown({
      description:
        "The same for programs: a word such as `unauthorized`, or an object with such a word as its one member; null if there is none.",
    }),
    additionalDetails: Nullable(Type.String(), { description: "The cause in more detail." }),
    misalignment: Type.Null({ description: "Always null." }),
  },
  { $id: "TurnError", description: "Why a turn failed." },
);
export interface TurnError extends Static<typeof TurnError> {}

export const TurnItemsView = Type.Enum(["notLoaded", "summary", "full"], {
  $id: "TurnItemsView",
  description: "How many of a turn's items are there.",
});
/** How many of a turn's items are there. */
export type TurnItemsView = Static<typeof TurnItemsView>;

export const Turn = Type.Object(
  {
    id: Type.String({ description: "Names the turn." }),
    rootTurnId: Nullable(Type.String(), { description: "The turn that all this began with." }),
    items: Type.Array(ThreadItem, { description: "Its items, as far as they are included." }),
    itemsView: described(TurnItemsView, "How many of its items are there."),
    status: described(TurnStatus, "How far it has come."),
    error: Nullable(TurnError, { description: "Why it failed." }),
    startedAt: Nullable(Type.Integer(), { description: "When it began, in Unix seconds." }),
    completedAt: Nullable(Type.Integer(), { description: "When it ended, in Unix seconds." }),
    durationMs: Nullable(Type.Integer(), { description: "How long it took." }),
    responseId: Nullable(Type.String(), {
      description: "Its last response; `lastResponseId` of a later turn continues from it.",
    }),
  },
  { $id: "Turn", description: "What follows from one message of the user." },
);
export interface Turn extends Static<typeof Turn> {
  items: ThreadItem[];
}

const input = Type.Array(UserInput, { description: "What the user says." });
const clientUserMessageId = Nullish(Type.String(), {
  description: "The name of the message for the client, given back with its item.",
});

export const TurnStartParams = Type.Object(
  {
    threadId,
    input,
    clientUserMessageId,
    cwd: Nullish(Type.String(), { description: "Where commands run from now on." }),
    approvalPolicy: described(Type.Optional(AskForApproval), "When the user is asked."),
    approvalsReviewer: described(
      Type.Optional(ApprovalsReviewer),
      "Who reviews approval requests.",
    ),
    sandboxPolicy: described(Type.Optional(SandboxPolicy), "What commands may do."),
    sandbox: described(
      Type.Optional(SandboxPolicy),
      "An alias of `sandboxPolicy`. If both are set they must be equal.",
    ),
    permissions: Nullish(Type.String(), {
      description:
        "A built-in permission profile in place of `sandboxPolicy`: `:read-only`, `:workspace` or " +
        "`:danger-full-access`.",
    }),
    model: Nullish(Type.String(), { description: "The model to ask." }),
    serviceTier: Nullish(Type.String(), { description: "How fast the model's server works." }),
    effort: described(Type.Optional(ReasoningEffort), "How much the model reasons."),
    summary: described(Type.Optional(ReasoningSummary), "How much it tells of its reasoning."),
    personality: described(Type.Optional(Personality), "The tone of its answers."),
    collaborationMode: described(
      Type.Optional(CollaborationMode),
      "Whether it works or plans; comes before `model` and `effort`.",
    ),
    outputSchema: Type.Optional(
      Type.Unknown({ description: "A JSON Schema that the last message of the turn is to fit." }),
    ),
    lastResponseId: Nullish(Type.String(), {
      description:
        "A `responseId` to continue from, of this thread or of any other recorded one, instead of " +
        "the latest response. Replaces the turn that runs.",
    }),
  },
  {
    $id: "TurnStartParams",
    description: "A message of the user, with settings that hold from now on.",
  },
);
export interface TurnStartParams extends Static<typeof TurnStartParams> {}

export const TurnStartResponse = Type.Object(
  { turn: described(Turn, "The turn that begins.") },
  { $id: "TurnStartResponse", description: "The turn that the message begins." },
);
export interface TurnStartResponse extends Static<typeof TurnStartResponse> {
  turn: Turn;
}

export const TurnSteerParams = Type.Object(
  {
    threadId,
    input,
    clientUserMessageId,
    expectedTurnId: Type.String({ description: "The turn that must be running." }),
  },
  { $id: "TurnSteerParams", description: "More input for the turn that runs." },
);
export interface TurnSteerParams extends Static<typeof TurnSteerParams> {}

export const TurnSteerResponse = Type.Object(
  { turnId: Type.String({ description: "The turn that the input has joined." }) },
  { $id: "TurnSteerResponse", description: "The input is taken." },
);
export interface TurnSteerResponse extends Static<typeof TurnSteerResponse> {}

export const TurnInterruptParams = Type.Object(
  { threadId, turnId: Type.String({ description: "The turn to end." }) },
  { $id: "TurnInterruptParams", description: "Which turn is to end." },
);
export interface TurnInterruptParams extends Static<typeof TurnInterruptParams> {}

export const TurnStartedNotification = Type.Object(
  { threadId, turn: described(Turn, "The turn.") },
  { $id: "TurnStartedNotification", description: "A turn begins." },
);
export interface TurnStartedNotification extends Static<typeof TurnStartedNotification> {
  turn: Turn;
}

export const TurnCompletedNotification = Type.Object(
  { threadId, turn: described(Turn, "The turn, with how it ended.") },
  { $id: "TurnCompletedNotification", description: "A turn is over." },
);
export interface TurnCompletedNotification extends Static<typeof TurnCompletedNotification> {
  turn: Turn;
}

export const TurnDiffUpdatedNotification = Type.Object(
  {
    threadId,
    turnId,
    diff: Type.String({ description: "All changes of the turn so far, as one unified diff." }),
  },
  { $id: "TurnDiffUpdatedNotification", description: "What the turn has changed by now." },
);
export interface TurnDiffUpdatedNotification extends Static<typeof TurnDiffUpdatedNotification> {}

export const TurnPlanStepStatus = Type.Enum(["pending", "inProgress", "completed"], {
  $id: "TurnPlanStepStatus",
  description: "How far a step has come.",
});
/** How far a step of the plan has come. */
export type TurnPlanStepStatus = Static<typeof TurnPlanStepStatus>;

export const TurnPlanStep = Type.Object(
  {
    step: Type.String({ description: "What is to be done." }),
    status: described(TurnPlanStepStatus, "How far it has come."),
  },
  { $id: "TurnPlanStep", description: "A step of the plan." },
);
export interface TurnPlanStep extends Static<typeof TurnPlanStep> {}

export const TurnPlanUpdatedNotification = Type.Object(
  {
    threadId,
    turnId,
    explanation: Nullable(Type.String(), { description: "Why the plan changed." }),
    plan: Type.Array(TurnPlanStep, { description: "All steps, in order." }),
  },
  { $id: "TurnPlanUpdatedNotification", description: "The plan of the turn has changed." },
);
export interface TurnPlanUpdatedNotification extends Static<typeof TurnPlanUpdatedNotification> {}

export const ErrorNotification = Type.Object(
  {
    error: described(TurnError, "What went wrong."),
    willRetry: Type.Boolean({ description: "It is tried again; the turn goes on." }),
    threadId,
    turnId,
  },
  { $id: "ErrorNotification", description: "Something in a turn went wrong." },
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
