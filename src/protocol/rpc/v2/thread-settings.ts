import Type, { type Static } from "typebox";
import {
  CollaborationMode,
  Personality,
  ReasoningEffort,
  ReasoningSummary,
} from "../../config-types.js";
import { ActivePermissionProfile, ApprovalsReviewer } from "../../policy.js";
import { described, Nullable, since } from "../../schema.js";
import { defineMethod, defineNotification } from "../declare.js";
import { EmptyResponse } from "./common.js";
import { AskForApproval, SandboxPolicy } from "./policy.js";

const threadId = Type.String({ description: "Thread id (UUID)." });

export const ThreadSettings = Type.Object(
  {
    disabledPluginIds: Type.Array(Type.String(), { description: "Always empty." }),
    cwd: Type.String({ description: "Working directory of commands." }),
    approvalPolicy: described(AskForApproval, "Approval policy."),
    approvalsReviewer: described(ApprovalsReviewer, "Reviewer of approval requests."),
    sandboxPolicy: described(SandboxPolicy, "Sandbox policy."),
    activePermissionProfile: Nullable(ActivePermissionProfile, {
      description: "Permission profile, if one is active.",
    }),
    model: Type.String({ description: "Model name." }),
    modelProvider: Type.String({ description: "Model provider." }),
    serviceTier: Nullable(Type.String(), { description: "Service tier." }),
    effort: Nullable(ReasoningEffort, { description: "Reasoning effort." }),
    summary: Nullable(ReasoningSummary, { description: "Detail of the reasoning summary." }),
    collaborationMode: described(CollaborationMode, "Collaboration mode."),
    personality: Nullable(Personality, { description: "Personality of the model." }),
    multiAgentMode: since("0.166", Type.String({ description: "Always `explicitRequestOnly`." })),
  },
  { $id: "ThreadSettings", description: "Settings of the next turns of a thread." },
);
export interface ThreadSettings extends Static<typeof ThreadSettings> {
  approvalPolicy: AskForApproval;
  sandboxPolicy: SandboxPolicy;
}

export const ThreadSettingsUpdateParams = Type.Object(
  {
    threadId,
    cwd: Type.Optional(Type.String({ description: "Working directory of commands." })),
    approvalPolicy: described(Type.Optional(AskForApproval), "Approval policy."),
    approvalsReviewer: described(
      Type.Optional(ApprovalsReviewer),
      "Reviewer of approval requests.",
    ),
    sandboxPolicy: described(Type.Optional(SandboxPolicy), "Sandbox policy."),
    permissions: Type.Optional(
      Type.String({ description: "Permission profile, instead of `sandboxPolicy`." }),
    ),
    model: Type.Optional(Type.String({ description: "Model name." })),
    serviceTier: Type.Optional(Type.String({ description: "Service tier; ignored." })),
    effort: described(Type.Optional(ReasoningEffort), "Reasoning effort."),
    summary: described(Type.Optional(ReasoningSummary), "Detail of the reasoning summary."),
    collaborationMode: described(Type.Optional(CollaborationMode), "Collaboration mode."),
    personality: described(Type.Optional(Personality), "Personality of the model."),
  },
  {
    $id: "ThreadSettingsUpdateParams",
    description: "Settings to change; omitted settings stay unchanged.",
  },
);
export interface ThreadSettingsUpdateParams extends Static<typeof ThreadSettingsUpdateParams> {
  approvalPolicy?: AskForApproval;
  sandboxPolicy?: SandboxPolicy;
}

export const ThreadSettingsUpdatedNotification = Type.Object(
  { threadId, threadSettings: described(ThreadSettings, "Current settings.") },
  { $id: "ThreadSettingsUpdatedNotification", description: "The settings of a thread changed." },
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
    experimental: "0.166",
    params: ThreadSettingsUpdateParams,
    result: EmptyResponse,
    since: "0.166",
  }),
  defineNotification({
    name: "thread/settings/updated",
    summary: "The settings of a thread changed.",
    scope: "thread",
    params: ThreadSettingsUpdatedNotification,
    since: "0.166",
  }),
];

export const ThreadShellCommandParams = Type.Object(
  {
    threadId,
    command: Type.String({ description: "Shell command, run without a sandbox." }),
    timeoutMs: Type.Optional(
      Type.Integer({ minimum: 0, description: "Time limit in milliseconds. Default: one hour." }),
    ),
  },
  { $id: "ThreadShellCommandParams", description: "Params of `thread/shellCommand`." },
);
export interface ThreadShellCommandParams extends Static<typeof ThreadShellCommandParams> {}

export const ThreadInjectItemsParams = Type.Object(
  {
    threadId,
    items: Type.Array(Type.Unknown(), {
      description: "Items in the format of the Responses API, appended to the conversation.",
    }),
  },
  { $id: "ThreadInjectItemsParams", description: "Params of `thread/inject_items`." },
);
export interface ThreadInjectItemsParams extends Static<typeof ThreadInjectItemsParams> {}

export const threadInputMethods = [
  defineMethod({
    name: "thread/shellCommand",
    summary: "Runs a shell command of the user, without a sandbox. The model sees its output.",
    scope: "thread",
    params: ThreadShellCommandParams,
    result: EmptyResponse,
    since: "0.166",
  }),
  defineMethod({
    name: "thread/inject_items",
    summary: "Adds items to the model's context without starting a turn.",
    scope: "thread",
    params: ThreadInjectItemsParams,
    result: EmptyResponse,
    since: "0.166",
  }),
];
