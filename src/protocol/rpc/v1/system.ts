import Type, { type Static } from "typebox";
import { ReasoningEffort } from "../../config-types.js";
import { SandboxPolicy } from "../../policy.js";
import { described } from "../../schema.js";
import { defineMethod } from "../declare.js";
import { UserSavedConfig } from "./saved-config.js";

export const NoParams = Type.Object({}, { $id: "NoParams", description: "Nothing." });
export interface NoParams extends Static<typeof NoParams> {}

export const ClientInfo = Type.Object(
  {
    name: Type.String({ description: "Short name of the client." }),
    title: Type.Optional(Type.String({ description: "Display name of the client." })),
    version: Type.String({ description: "Version." }),
  },
  { $id: "ClientInfo", description: "Identifies a client." },
);
export interface ClientInfo extends Static<typeof ClientInfo> {}

export const InitializeParams = Type.Object(
  { clientInfo: described(ClientInfo, "The client.") },
  { $id: "InitializeParams", description: "Params of `initialize`." },
);
export interface InitializeParams extends Static<typeof InitializeParams> {}

export const InitializeResponse = Type.Object(
  { userAgent: Type.String({ description: "`User-Agent` header sent to the model provider." }) },
  { $id: "InitializeResponse", description: "Result of `initialize`." },
);
export interface InitializeResponse extends Static<typeof InitializeResponse> {}

export const GetUserAgentResponse = Type.Object(
  { userAgent: Type.String({ description: "`User-Agent` header sent to the model provider." }) },
  { $id: "GetUserAgentResponse", description: "Result of `getUserAgent`." },
);
export interface GetUserAgentResponse extends Static<typeof GetUserAgentResponse> {}

export const GitDiffToRemoteParams = Type.Object(
  { cwd: Type.String({ description: "A directory of the work tree." }) },
  { $id: "GitDiffToRemoteParams", description: "Params of `gitDiffToRemote`." },
);
export interface GitDiffToRemoteParams extends Static<typeof GitDiffToRemoteParams> {}

export const GitDiffToRemoteResponse = Type.Object(
  {
    sha: Type.String({ description: "Base commit of the diff." }),
    diff: Type.String({ description: "Unified diff to the current files." }),
  },
  { $id: "GitDiffToRemoteResponse", description: "Result of `gitDiffToRemote`." },
);
export interface GitDiffToRemoteResponse extends Static<typeof GitDiffToRemoteResponse> {}

export const SetDefaultModelParams = Type.Object(
  {
    model: Type.Optional(Type.String({ description: "Model name; omitted: resets the default." })),
    reasoningEffort: described(
      Type.Optional(ReasoningEffort),
      "Reasoning effort; omitted: resets the default.",
    ),
  },
  { $id: "SetDefaultModelParams", description: "Params of `setDefaultModel`." },
);
export interface SetDefaultModelParams extends Static<typeof SetDefaultModelParams> {}

export const ExecOneOffCommandParams = Type.Object(
  {
    command: Type.Array(Type.String(), { description: "Program and arguments." }),
    timeoutMs: Type.Optional(
      Type.Integer({ minimum: 0, description: "Time limit in milliseconds. Default: 10,000." }),
    ),
    cwd: Type.Optional(Type.String({ description: "Working directory." })),
    sandboxPolicy: described(
      Type.Optional(SandboxPolicy),
      "Sandbox policy. Default: that of the config.",
    ),
  },
  { $id: "ExecOneOffCommandParams", description: "Params of `execOneOffCommand`." },
);
export interface ExecOneOffCommandParams extends Static<typeof ExecOneOffCommandParams> {}

export const ExecArbitraryCommandResponse = Type.Object(
  {
    exitCode: Type.Integer({ description: "Exit code." }),
    stdout: Type.String({ description: "Standard output." }),
    stderr: Type.String({ description: "Standard error." }),
  },
  { $id: "ExecArbitraryCommandResponse", description: "Result of `execOneOffCommand`." },
);
export interface ExecArbitraryCommandResponse extends Static<typeof ExecArbitraryCommandResponse> {}

export const SetDefaultModelResponse = Type.Object(
  {},
  { $id: "SetDefaultModelResponse", description: "Result of `setDefaultModel`." },
);
export interface SetDefaultModelResponse extends Static<typeof SetDefaultModelResponse> {}

export const GetUserSavedConfigResponse = Type.Object(
  { config: described(UserSavedConfig, "Settings without defaults.") },
  { $id: "GetUserSavedConfigResponse", description: "Result of `getUserSavedConfig`." },
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
