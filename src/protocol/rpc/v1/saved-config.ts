import Type, { type Static } from "typebox";
import { ReasoningEffort, ReasoningSummary, SandboxMode, Verbosity } from "../../config-types.js";
import { AskForApproval } from "../../policy.js";
import { described, Nullable } from "../../schema.js";

export const SandboxSettings = Type.Object(
  {
    writableRoots: Type.Array(Type.String(), { description: "Additional writable directories." }),
    networkAccess: Type.Boolean({ description: "Allows network access." }),
    excludeTmpdirEnvVar: Type.Boolean({ description: "Makes `$TMPDIR` read-only." }),
    excludeSlashTmp: Type.Boolean({ description: "Makes `/tmp` read-only." }),
  },
  { $id: "SandboxSettings", description: "Settings of the sandbox mode `workspace-write`." },
);

export interface SandboxSettings extends Static<typeof SandboxSettings> {}

export const SavedTools = Type.Object(
  {
    webSearch: Type.Optional(Type.Boolean({ description: "Enables web search." })),
    viewImage: Type.Optional(Type.Boolean({ description: "Enables viewing images." })),
  },
  { $id: "SavedTools", description: "Tools that the user enabled or disabled." },
);

export interface SavedTools extends Static<typeof SavedTools> {}

export const Profile = Type.Object(
  {
    model: Nullable(Type.String(), { description: "Model name." }),
    modelProvider: Nullable(Type.String(), { description: "Model provider." }),
    approvalPolicy: Nullable(AskForApproval, { description: "Approval policy." }),
    modelReasoningEffort: Nullable(ReasoningEffort, { description: "Reasoning effort." }),
    modelReasoningSummary: Nullable(ReasoningSummary, {
      description: "Detail of the reasoning summary.",
    }),
    modelVerbosity: Nullable(Verbosity, { description: "Verbosity of the model." }),
    chatgptBaseUrl: Nullable(Type.String(), { description: "Base URL of ChatGPT." }),
  },
  { $id: "Profile", description: "A profile of the config file; unset keys are `null`." },
);

export interface Profile extends Static<typeof Profile> {}

export const UserSavedConfig = Type.Object(
  {
    approvalPolicy: described(Type.Optional(AskForApproval), "Approval policy."),
    sandboxMode: described(Type.Optional(SandboxMode), "Sandbox policy."),
    sandboxSettings: described(Type.Optional(SandboxSettings), "Sandbox settings."),
    model: Type.Optional(Type.String({ description: "Model name." })),
    modelReasoningEffort: described(Type.Optional(ReasoningEffort), "Reasoning effort."),
    modelReasoningSummary: described(
      Type.Optional(ReasoningSummary),
      "Detail of the reasoning summary.",
    ),
    modelVerbosity: described(Type.Optional(Verbosity), "Verbosity of the model."),
    tools: described(Type.Optional(SavedTools), "Tools that are enabled or disabled."),
    profile: Type.Optional(Type.String({ description: "Active profile." })),
    profiles: Type.Record(Type.String(), Profile, { description: "Profiles by name." }),
  },
  {
    $id: "UserSavedConfig",
    description: "The part of the user's config file that clients display.",
  },
);

export interface UserSavedConfig extends Static<typeof UserSavedConfig> {}
