import Type, { type Static } from "typebox";
import { ReasoningEffort, ReasoningSummary, SandboxMode, Verbosity } from "../../config-types.js";
import { AskForApproval, SandboxPolicy } from "../../policy.js";
import { described, Nullable } from "../../schema.js";
import { defineMethod } from "../declare.js";

export const NoParams = Type.Object({}, { $id: "NoParams", description: "Nothing." });
export interface NoParams extends Static<typeof NoParams> {}

export const ClientInfo = Type.Object(
  {
    name: Type.String({ description: "The program, in a word." }),
    title: Type.Optional(Type.String({ description: "The program, for people." })),
    version: Type.String({ description: "Its version." }),
  },
  { $id: "ClientInfo", description: "Who drives us." },
);
export interface ClientInfo extends Static<typeof ClientInfo> {}

export const InitializeParams = Type.Object(
  { clientInfo: described(ClientInfo, "Who it is.") },
  { $id: "InitializeParams", description: "The first words of a client." },
);
export interface InitializeParams extends Static<typeof InitializeParams> {}

export const InitializeResponse = Type.Object(
  { userAgent: Type.String({ description: "The `User-Agent` towards the model's server." }) },
  { $id: "InitializeResponse", description: "Answers `initialize`." },
);
export interface InitializeResponse extends Static<typeof InitializeResponse> {}

export const GetUserAgentResponse = Type.Object(
  { userAgent: Type.String({ description: "The `User-Agent` towards the model's server." }) },
  { $id: "GetUserAgentResponse", description: "Answers `getUserAgent`." },
);
export interface GetUserAgentResponse extends Static<typeof GetUserAgentResponse> {}

export const GitDiffToRemoteParams = Type.Object(
  { cwd: Type.String({ description: "A folder of the work tree." }) },
  { $id: "GitDiffToRemoteParams", description: "Which work tree is compared." },
);
export interface GitDiffToRemoteParams extends Static<typeof GitDiffToRemoteParams> {}

export const GitDiffToRemoteResponse = Type.Object(
  {
    sha: Type.String({ description: "The commit that the diff starts from." }),
    diff: Type.String({ description: "A unified diff to the files as they are now." }),
  },
  { $id: "GitDiffToRemoteResponse", description: "Answers `gitDiffToRemote`." },
);
export interface GitDiffToRemoteResponse extends Static<typeof GitDiffToRemoteResponse> {}

export const SetDefaultModelParams = Type.Object(
  {
    model: Type.Optional(Type.String({ description: "Absent: the choice is taken back." })),
    reasoningEffort: described(Type.Optional(ReasoningEffort), "Absent: the same."),
  },
  { $id: "SetDefaultModelParams", description: "The model of conversations to come." },
);
export interface SetDefaultModelParams extends Static<typeof SetDefaultModelParams> {}

export const ExecOneOffCommandParams = Type.Object(
  {
    command: Type.Array(Type.String(), { description: "The program and its arguments." }),
    timeoutMs: Type.Optional(
      Type.Integer({ minimum: 0, description: "How long it may take; 10 s when absent." }),
    ),
    cwd: Type.Optional(Type.String({ description: "Where it runs." })),
    sandboxPolicy: described(Type.Optional(SandboxPolicy), "What it may do, if not the usual."),
  },
  { $id: "ExecOneOffCommandParams", description: "A command outside of any conversation." },
);
export interface ExecOneOffCommandParams extends Static<typeof ExecOneOffCommandParams> {}

export const ExecArbitraryCommandResponse = Type.Object(
  {
    exitCode: Type.Integer({ description: "Its exit code." }),
    stdout: Type.String({ description: "What it wrote to standard output." }),
    stderr: Type.String({ description: "What it wrote to standard error." }),
  },
  { $id: "ExecArbitraryCommandResponse", description: "Answers `execOneOffCommand`." },
);
export interface ExecArbitraryCommandResponse extends Static<typeof ExecArbitraryCommandResponse> {}

export const SetDefaultModelResponse = Type.Object(
  {},
  { $id: "SetDefaultModelResponse", description: "Answers `setDefaultModel`: it is done." },
);
export interface SetDefaultModelResponse extends Static<typeof SetDefaultModelResponse> {}

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

export const systemMethods = [
  defineMethod({
    name: "initialize",
    summary: "Initializes the connection. The app-server replies as in version 2.",
    scope: "connection",
    params: InitializeParams,
    result: InitializeResponse,
  }),
  defineMethod({
    name: "gitDiffToRemote",
    summary: "Returns the diff between a work tree and its remote branch.",
    scope: "server",
    params: GitDiffToRemoteParams,
    result: GitDiffToRemoteResponse,
  }),
  defineMethod({
    name: "getUserSavedConfig",
    summary: "Returns the settings in the user's config file.",
    scope: "server",
    params: NoParams,
    result: GetUserSavedConfigResponse,
  }),
  defineMethod({
    name: "setDefaultModel",
    summary: "Saves the default model of new conversations.",
    scope: "server",
    params: SetDefaultModelParams,
    result: SetDefaultModelResponse,
  }),
  defineMethod({
    name: "getUserAgent",
    summary: "Returns the `User-Agent` header sent to the model provider.",
    scope: "connection",
    params: NoParams,
    result: GetUserAgentResponse,
  }),
  defineMethod({
    name: "execOneOffCommand",
    summary: "Runs a command outside of any conversation, without approval.",
    scope: "server",
    params: ExecOneOffCommandParams,
    result: ExecArbitraryCommandResponse,
  }),
];
