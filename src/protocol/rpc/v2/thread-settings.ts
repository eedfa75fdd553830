import Type, { type Static } from "typebox";
import {
  CollaborationMode,
  Personality,
  ReasoningEffort,
  ReasoningSummary,
} from "../../config-types.js";
import { ApprovalsReviewer } from "../../policy.js";
import { described, Nullable } from "../../schema.js";
import { defineMethod, defineNotification } from "../declare.js";
import { EmptyResponse } from "./common.js";
import { AskForApproval, SandboxPolicy } from "./policy.js";

const threadId = Type.String({ description: "The thread, by its UUID." });

export const ThreadSettings = Type.Object(
  {
    disabledPluginIds: Type.Array(Type.String(), { description: "Always empty." }),
    cwd: Type.String({ description: "Where commands run." }),
    approvalPolicy: described(AskForApproval, "When the user is asked."),
    approvalsReviewer: described(ApprovalsReviewer, "Who reviews approval requests."),
    sandboxPolicy: described(SandboxPolicy, "What commands may do."),
    activePermissionProfile: Type.Null({
      description: "Always null: policies say what is allowed.",
    }),
    model: Type.String({ description: "The model to ask." }),
    modelProvider: Type.String({ description: "Where it is reached." }),
    serviceTier: Nullable(Type.String(), { description: "How fast the model's server works." }),
    effort: Nullable(ReasoningEffort, { description: "How much the model reasons." }),
    summary: Nullable(ReasoningSummary, { description: "How much it tells of its reasoning." }),
    collaborationMode: described(CollaborationMode, "Whether it works or plans."),
    personality: Nullable(Personality, { description: "The tone of its answers." }),
  },
  { $id: "ThreadSettings", description: "How a thread works from its next turn on." },
);
export interface ThreadSettings extends Static<typeof ThreadSettings> {
  approvalPolicy: AskForApproval;
  sandboxPolicy: SandboxPolicy;
}

export const ThreadSettingsUpdateParams = Type.Object(
  {
    threadId,
    cwd: Type.Optional(Type.String({ description: "Where commands run." })),
    approvalPolicy: described(Type.Optional(AskForApproval), "When the user is asked."),
    approvalsReviewer: described(
      Type.Optional(ApprovalsReviewer),
      "Who reviews approval requests.",
    ),
    sandboxPolicy: described(Type.Optional(SandboxPolicy), "What commands may do."),
    permissions: Type.Optional(
      Type.String({ description: "A built-in permission profile in place of `sandboxPolicy`." }),
    ),
    model: Type.Optional(Type.String({ description: "The model to ask." })),
    serviceTier: Type.Optional(
      Type.String({ description: "How fast the model's server works; passed over." }),
    ),
    effort: described(Type.Optional(ReasoningEffort), "How much the model reasons."),
    summary: described(Type.Optional(ReasoningSummary), "How much it tells of its reasoning."),
    collaborationMode: described(Type.Optional(CollaborationMode), "Whether it works or plans."),
    personality: described(Type.Optional(Personality), "The tone of its answers."),
  },
  { $id: "ThreadSettingsUpdateParams", description: "Settings that change; the others stay." },
);
export interface ThreadSettingsUpdateParams extends Static<typeof ThreadSettingsUpdateParams> {
  approvalPolicy?: AskForApproval;
  sandboxPolicy?: SandboxPolicy;
}

export const ThreadSettingsUpdatedNotification = Type.Object(
  { threadId, threadSettings: described(ThreadSettings, "All settings as they are now.") },
  { $id: "ThreadSettingsUpdatedNotification", description: "A thread has other settings now." },
);
export interface ThreadSettingsUpdatedNotification
  extends Static<typeof ThreadSettingsUpdatedNotification> {
  threadSettings: ThreadSettings;
}

export const threadSettingsMethods = [
  defineMethod({
    name: "thread/settings/update",
    summary: "Changes the settings of the following turns.",
    scope: "thread",
    experimental: true,
    params: ThreadSettingsUpdateParams,
    result: EmptyResponse,
  }),
  defineNotification({
    name: "thread/settings/updated",
    summary: "The settings of a thread changed.",
    scope: "thread",
    params: ThreadSettingsUpdatedNotification,
  }),
];

export const ThreadShellCommandParams = Type.Object(
  {
    threadId,
    command: Type.String({ description: "What the user's shell is to run, without a sandbox." }),
    timeoutMs: Type.Optional(
      Type.Integer({ minimum: 0, description: "How long it may take; an hour if absent." }),
    ),
  },
  { $id: "ThreadShellCommandParams", description: "A command of the user's own." },
);
export interface ThreadShellCommandParams extends Static<typeof ThreadShellCommandParams> {}

export const ThreadInjectItemsParams = Type.Object(
  {
    threadId,
    items: Type.Array(Type.Unknown(), {
      description: "Items as the model's server takes them, added behind the conversation.",
    }),
  },
  { $id: "ThreadInjectItemsParams", description: "What the model is to know from now on." },
);
export interface ThreadInjectItemsParams extends Static<typeof ThreadInjectItemsParams> {}

export const threadInputMethods = [
  defineMethod({
    name: "thread/shellCommand",
    summary: "Runs a shell command of the user, without a sandbox. The model sees its output.",
    scope: "thread",
    params: ThreadShellCommandParams,
    result: EmptyResponse,
  }),
  defineMethod({
    name: "thread/inject_items",
    summary: "Adds items to the model's context without starting a turn.",
    scope: "thread",
    params: ThreadInjectItemsParams,
    result: EmptyResponse,
  }),
];
