import Type, { type Static } from "typebox";
import { ReasoningEffort } from "../../config-types.js";
import { SandboxPolicy } from "../../policy.js";
import { described } from "../../schema.js";

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

export const UserAgentResponse = Type.Object(
  { userAgent: Type.String({ description: "What we call ourselves towards the model's server." }) },
  { $id: "UserAgentResponse", description: "Answers `initialize` and `getUserAgent`." },
);
export interface UserAgentResponse extends Static<typeof UserAgentResponse> {}

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
