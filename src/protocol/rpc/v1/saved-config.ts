import Type, { type Static } from "typebox";
import { ReasoningEffort, ReasoningSummary, SandboxMode, Verbosity } from "../../config-types.js";
import { AskForApproval } from "../../policy.js";
import { described, Nullable } from "../../schema.js";

export const SandboxSettings = Type.Object(
  {
    writableRoots: Type.Array(Type.String(), { description: "Folders that are writable too." }),
    networkAccess: Type.Boolean({ description: "Whether commands may use the network." }),
    excludeTmpdirEnvVar: Type.Boolean({ description: "Whether `$TMPDIR` is not writable." }),
    excludeSlashTmp: Type.Boolean({ description: "Whether `/tmp` is not writable." }),
  },
  { $id: "SandboxSettings", description: "Settings of the sandbox mode `workspace-write`." },
);
export interface SandboxSettings extends Static<typeof SandboxSettings> {}

export const SavedTools = Type.Object(
  {
    webSearch: Type.Optional(
      Type.Boolean({ description: "Whether the model may search the web." }),
    ),
    viewImage: Type.Optional(
      Type.Boolean({ description: "Whether the model may look at images." }),
    ),
  },
  { $id: "SavedTools", description: "Tools that the user has turned on or off." },
);
export interface SavedTools extends Static<typeof SavedTools> {}

export const Profile = Type.Object(
  {
    model: Nullable(Type.String(), { description: "The model to ask." }),
    modelProvider: Nullable(Type.String(), { description: "The provider of the model." }),
    approvalPolicy: Nullable(AskForApproval, { description: "When the user is asked." }),
    modelReasoningEffort: Nullable(ReasoningEffort, { description: "How much the model reasons." }),
    modelReasoningSummary: Nullable(ReasoningSummary, { description: "How it is summarized." }),
    modelVerbosity: Nullable(Verbosity, { description: "How much the model writes." }),
    chatgptBaseUrl: Nullable(Type.String(), { description: "The server of ChatGPT." }),
  },
  { $id: "Profile", description: "A profile of the user's file; `null` for what it leaves out." },
);
export interface Profile extends Static<typeof Profile> {}

export const UserSavedConfig = Type.Object(
  {
    approvalPolicy: described(Type.Optional(AskForApproval), "When the user is asked."),
    sandboxMode: described(Type.Optional(SandboxMode), "What commands may do."),
    sandboxSettings: described(Type.Optional(SandboxSettings), "More about the sandbox."),
    model: Type.Optional(Type.String({ description: "The model to ask." })),
    modelReasoningEffort: described(Type.Optional(ReasoningEffort), "How much the model reasons."),
    modelReasoningSummary: described(Type.Optional(ReasoningSummary), "How it is summarized."),
    modelVerbosity: described(Type.Optional(Verbosity), "How much the model writes."),
    tools: described(Type.Optional(SavedTools), "Tools that are on or off."),
    profile: Type.Optional(Type.String({ description: "The profile in use." })),
    profiles: Type.Record(Type.String(), Profile, { description: "All profiles by name." }),
  },
  { $id: "UserSavedConfig", description: "The part of the user's config file that clients show." },
);
export interface UserSavedConfig extends Static<typeof UserSavedConfig> {}

export const GetUserSavedConfigResponse = Type.Object(
  { config: described(UserSavedConfig, "The settings, without defaults.") },
  { $id: "GetUserSavedConfigResponse", description: "Answers `getUserSavedConfig`." },
);
export interface GetUserSavedConfigResponse extends Static<typeof GetUserSavedConfigResponse> {}
