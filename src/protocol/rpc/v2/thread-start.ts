import Type, { type Static } from "typebox";
import {
  CollaborationMode,
  Personality,
  ReasoningEffort,
  SandboxMode,
} from "../../config-types.js";
import { ApprovalsReviewer } from "../../policy.js";
import { described, Nullable } from "../../schema.js";
import { defineMethod } from "../declare.js";
import { AskForApproval, SandboxPolicy } from "./policy.js";
import { Thread } from "./thread.js";
import { TurnsPage, TurnsPageParams } from "./thread-history.js";

const text = (description: string) => Type.Optional(Type.String({ description }));
const flag = (description: string) => Type.Optional(Type.Boolean({ description }));

/** The settings that a thread can be given when it begins or goes on. */
const settings = {
  model: text("The model to ask."),
  modelProvider: text("Where it is reached: a name of `model_providers`."),
  serviceTier: text("How fast the model's server works; passed on as it is."),
  cwd: text("Where commands run."),
  approvalPolicy: described(Type.Optional(AskForApproval), "When the user is asked."),
  approvalsReviewer: described(Type.Optional(ApprovalsReviewer), "Who reviews approval requests."),
  sandbox: described(Type.Optional(SandboxMode), "What commands may do, in a word."),
  permissions: text(
    "A built-in permission profile in place of `sandbox`: `:read-only`, `:workspace` or " +
      "`:danger-full-access`.",
  ),
  config: Type.Optional(
    Type.Record(Type.String(), Type.Unknown(), {
      description: "More settings by their dotted name, as with `-c`.",
    }),
  ),
  baseInstructions: text("Replaces the instructions the model is given by default."),
  developerInstructions: text("Instructions that are added to them."),
  personality: described(Type.Optional(Personality), "The tone of its answers."),
};

const threadSource = text("What the client begins it for, such as `user`.");

const FunctionTool = Type.Object(
  {
    type: Type.Optional(Type.Literal("function")),
    name: Type.String({ description: "What the model calls it." }),
    description: Type.String({ description: "What it does, for the model." }),
    inputSchema: Type.Unknown({ description: "The JSON Schema of its arguments." }),
    deferLoading: flag("The model is told of it only when it looks for tools."),
  },
  { $id: "DynamicToolFunctionSpec", description: "A tool that the client runs itself." },
);

const NamespaceTools = Type.Object(
  {
    type: Type.Literal("namespace"),
    name: Type.String({ description: "What the tools have in front of their names." }),
    description: Type.String({ description: "What they are for, for the model." }),
    tools: Type.Array(FunctionTool, { description: "The tools." }),
  },
  { $id: "DynamicToolNamespaceSpec", description: "Tools of the client that belong together." },
);

export const DynamicToolSpec = Type.Union([NamespaceTools, FunctionTool], {
  $id: "DynamicToolSpec",
  description: "One tool of the client's, or several that belong together.",
});
/** One tool of the client's, or several that belong together. */
export type DynamicToolSpec = Static<typeof NamespaceTools> | Static<typeof FunctionTool>;

export const ThreadStartParams = Type.Object(
  {
    ...settings,
    serviceName: text("What the client is a part of; passed over."),
    ephemeral: flag("Nothing is kept of the thread."),
    threadSource,
    sessionStartSource: text("Whether the client has just started; passed over."),
    dynamicTools: Type.Optional(
      Type.Array(DynamicToolSpec, { description: "Tools that the client runs itself." }),
    ),
    experimentalRawEvents: flag("The client also wants the items as the model made them."),
  },
  {
    $id: "ThreadStartParams",
    description: "What a thread starts with; what is absent comes from the config.",
  },
);
export interface ThreadStartParams extends Static<typeof ThreadStartParams> {
  dynamicTools?: DynamicToolSpec[];
}

export const ThreadResumeParams = Type.Object(
  {
    threadId: Type.String({ description: "The thread, by its UUID." }),
    history: Type.Optional(
      Type.Array(Type.Unknown(), {
        description: "Items of a conversation that a new thread goes on from, instead of a file's.",
      }),
    ),
    path: text("The file of the thread, instead of looking for it; counts before `threadId`."),
    ...settings,
    excludeTurns: flag("The answer has no turns; they are read with `thread/turns/list`."),
    initialTurnsPage: described(
      Type.Optional(TurnsPageParams),
      "The first page of its turns that the answer is to have beside them.",
    ),
    after: Type.Optional(
      Type.Integer({
        minimum: 0,
        description:
          "The `seq` of the last notification that the client heard of the thread: what came " +
          "behind it is told again.",
      }),
    ),
  },
  { $id: "ThreadResumeParams", description: "Which thread goes on, and with which settings." },
);
export interface ThreadResumeParams extends Static<typeof ThreadResumeParams> {}

export const ThreadForkParams = Type.Object(
  {
    threadId: Type.String({ description: "The thread that is copied, by its UUID." }),
    path: text("The file of that thread, instead of looking for it; counts before `threadId`."),
    lastTurnId: text("The last turn that is kept; all if absent."),
    beforeTurnId: text("The first turn that is not kept, instead of `lastTurnId`."),
    ...settings,
    ephemeral: flag("Nothing is kept of the copy."),
    threadSource,
    excludeTurns: flag("The answer has no turns; they are read with `thread/turns/list`."),
  },
  { $id: "ThreadForkParams", description: "Which thread is copied, up to where." },
);
export interface ThreadForkParams extends Static<typeof ThreadForkParams> {}

const result = {
  thread: described(Thread, "The thread."),
  model: Type.String({ description: "The model it asks." }),
  modelProvider: Type.String({ description: "Where that is reached." }),
  serviceTier: Nullable(Type.String(), { description: "How fast the model's server works." }),
  disabledPluginIds: Type.Array(Type.String(), { description: "Always empty." }),
  cwd: Type.String({ description: "Where commands run." }),
  runtimeWorkspaceRoots: Type.Array(Type.String(), { description: "The workspace." }),
  instructionSources: Type.Array(Type.String(), {
    description: "The files that the user's and the project's instructions are from.",
  }),
  approvalPolicy: described(AskForApproval, "When the user is asked."),
  approvalsReviewer: described(ApprovalsReviewer, "Who reviews approval requests."),
  sandbox: described(SandboxPolicy, "What commands may do."),
  activePermissionProfile: Type.Null({ description: "Always null: policies say what is allowed." }),
  reasoningEffort: Nullable(ReasoningEffort, { description: "How much the model reasons." }),
  multiAgentMode: Type.String({ description: "Always `explicitRequestOnly`." }),
};

export const ThreadStartResponse = Type.Object(result, {
  $id: "ThreadStartResponse",
  description: "A thread and its settings.",
});
export interface ThreadStartResponse extends Static<typeof ThreadStartResponse> {
  thread: Thread;
  sandbox: SandboxPolicy;
  approvalPolicy: AskForApproval;
}

export const ThreadResumeResponse = Type.Object(
  {
    ...result,
    collaborationMode: Nullable(CollaborationMode, { description: "Whether it works or plans." }),
    initialTurnsPage: Nullable(TurnsPage, { description: "The page of turns, if asked for." }),
    turnsBackwardsCursor: Nullable(Type.String(), {
      description: "For `thread/turns/list` in descending order: it begins with the last turn.",
    }),
    itemsBackwardsCursor: Nullable(Type.String(), {
      description: "For `thread/items/list` in descending order: it begins with the last item.",
    }),
  },
  { $id: "ThreadResumeResponse", description: "A thread that goes on, and its settings." },
);
export interface ThreadResumeResponse extends Static<typeof ThreadResumeResponse> {
  thread: Thread;
  sandbox: SandboxPolicy;
  approvalPolicy: AskForApproval;
  initialTurnsPage: TurnsPage | null;
}

export const threadStartMethods = [
  defineMethod({
    name: "thread/start",
    summary: "Starts a thread and subscribes this client to it.",
    scope: "connection",
    params: ThreadStartParams,
    result: ThreadStartResponse,
  }),
  defineMethod({
    name: "thread/resume",
    summary: "Resumes a thread from memory or from its file and subscribes this client to it.",
    scope: "thread",
    params: ThreadResumeParams,
    result: ThreadResumeResponse,
  }),
  defineMethod({
    name: "thread/fork",
    summary: "Starts a thread from a copy of another one and subscribes this client to it.",
    scope: "thread",
    params: ThreadForkParams,
    result: ThreadStartResponse,
  }),
];
