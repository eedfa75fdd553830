import Type, { type Static } from "typebox";
import { ReasoningEffort } from "../../config-types.js";
import { SandboxPolicy } from "../../policy.js";
import { described } from "../../schema.js";
import { declareMethod } from "../declare.js";
import { NoParams } from "./nothing.js";
import { GetUserSavedConfigResponse } from "./saved-config.js";

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

export const systemMethods = [
  declareMethod(
    "initialize",
    "Introduces the client; the app-server answers it as in version 2.",
    InitializeParams,
    InitializeResponse,
  ),
  declareMethod(
    "gitDiffToRemote",
    "Returns what a work tree has that its remote has not.",
    GitDiffToRemoteParams,
    GitDiffToRemoteResponse,
  ),
  declareMethod(
    "getUserSavedConfig",
    "Returns the settings in the user's own config file.",
    NoParams,
    GetUserSavedConfigResponse,
  ),
  declareMethod(
    "setDefaultModel",
    "Saves the model for later conversations.",
    SetDefaultModelParams,
    SetDefaultModelResponse,
  ),
  declareMethod(
    "getUserAgent",
    "Returns the `User-Agent` towards the model's server.",
    NoParams,
    GetUserAgentResponse,
  ),
  declareMethod(
    "execOneOffCommand",
    "Runs a command outside of any conversation, without asking.",
    ExecOneOffCommandParams,
    ExecArbitraryCommandResponse,
  ),
];
