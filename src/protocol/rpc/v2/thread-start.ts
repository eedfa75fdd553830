import Type, { type Static } from "typebox";
import {
  CollaborationMode,
  Personality,
  ReasoningEffort,
  SandboxMode,
} from "../../config-types.js";
import { ActivePermissionProfile, ApprovalsReviewer } from "../../policy.js";
import { described, experimental, Nullable, since } from "../../schema.js";
import { defineMethod } from "../declare.js";
import { AskForApproval, SandboxPolicy } from "./policy.js";
import { Thread } from "./thread.js";
import { TurnsPage, TurnsPageParams } from "./thread-history.js";

const text = (description: string) => Type.Optional(Type.String({ description }));
const flag = (description: string) => Type.Optional(Type.Boolean({ description }));

/** Settings of a thread when it is started, resumed or forked. */
const settings = {
  model: text("Model name."),
  modelProvider: text("Model provider: a key of `model_providers`."),
  serviceTier: text("Service tier, passed to the provider unchanged."),
  cwd: text("Working directory of commands."),
  approvalPolicy: described(Type.Optional(AskForApproval), "Approval policy."),
  approvalsReviewer: described(Type.Optional(ApprovalsReviewer), "Reviewer of approval requests."),
  sandbox: described(Type.Optional(SandboxMode), "Sandbox mode."),
  permissions: experimental(
    "0.166",
    text(
      "Permission profile, instead of `sandbox`: a built-in one such as `:workspace`, or one of `permissions`.",
    ),
  ),
  config: Type.Optional(
    Type.Record(Type.String(), Type.Unknown(), {
      description: "Additional settings by dotted key, as with `-c`.",
    }),
  ),
  baseInstructions: text("Replaces the default base instructions."),
  developerInstructions: text("Additional developer instructions."),
  personality: described(Type.Optional(Personality), "Personality of the model."),
};

const threadSource = text("Purpose of the thread, such as `user`.");

const FunctionTool = Type.Object(
  {
    type: Type.Optional(Type.Literal("function")),
    name: Type.String({ description: "Name of the tool." }),
    description: Type.String({ description: "Description for the model." }),
    inputSchema: Type.Unknown({ description: "JSON Schema of the arguments." }),
    deferLoading: flag("Offers the tool only when the model searches for tools."),
  },
  { $id: "DynamicToolFunctionSpec", description: "A dynamic tool, which the client runs." },
);

const NamespaceTools = Type.Object(
  {
    type: Type.Literal("namespace"),
    name: Type.String({ description: "Namespace, the prefix of the tool names." }),
    description: Type.String({ description: "Description for the model." }),
    tools: Type.Array(FunctionTool, { description: "Required tools." }),
  },
  { $id: "DynamicToolNamespaceSpec", description: "A namespace of dynamic tools." },
);

export const DynamicToolSpec = Type.Union([NamespaceTools, FunctionTool], {
  $id: "DynamicToolSpec",
  description: "A dynamic tool, or a namespace of them.",
});
/** A dynamic tool, or a namespace of them. */
export type DynamicToolSpec = Static<typeof NamespaceTools> | Static<typeof FunctionTool>;

export const ThreadStartParams = Type.Object(
  {
    ...settings,
    serviceName: text("Service name; ignored."),
    ephemeral: flag("Does not persist the thread."),
    threadSource,
    sessionStartSource: text("Source of the session start; ignored."),
    projectId: experimental("0.166", text("Project of the new thread; it must exist.")),
    daybreakEnabled: experimental(
      "0.166",
      Type.Optional(Type.Unknown({ description: "Refused: there is no such feature." })),
    ),
    dynamicTools: experimental(
      "0.104",
      Type.Optional(
        Type.Array(DynamicToolSpec, { description: "Dynamic tools, which the client runs." }),
      ),
    ),
    experimentalRawEvents: experimental("0.104", flag("Also sends `rawResponseItem/completed`.")),
  },
  {
    $id: "ThreadStartParams",
    description: "Params of `thread/start`; omitted settings come from the config.",
  },
);
export interface ThreadStartParams extends Static<typeof ThreadStartParams> {
  dynamicTools?: DynamicToolSpec[];
}

export const ThreadResumeParams = Type.Object(
  {
    threadId: Type.String({ description: "Thread id (UUID)." }),
    history: experimental(
      "0.104",
      Type.Optional(
        Type.Array(Type.Unknown(), {
          description: "Items that the thread continues from, instead of a rollout file.",
        }),
      ),
    ),
    path: experimental(
      "0.104",
      text("Path of the rollout file; takes precedence over `threadId`."),
    ),
    ...settings,
    excludeTurns: flag("Omits the turns from the result; read them with `thread/turns/list`."),
    dynamicTools: Type.Optional(
      Type.Array(DynamicToolSpec, {
        description:
          "Dynamic tools, which the client runs, in place of the recorded ones; an error if a thread with other tools is in use.",
      }),
    ),
    initialTurnsPage: experimental(
      "0.166",
      described(Type.Optional(TurnsPageParams), "Requests the first page of turns in the result."),
    ),
    after: Type.Optional(
      Type.Integer({
        minimum: 0,
        description:
          "`seq` of the last notification that the client received; later ones are sent again.",
      }),
    ),
  },
  { $id: "ThreadResumeParams", description: "Params of `thread/resume`." },
);
export interface ThreadResumeParams extends Static<typeof ThreadResumeParams> {
  dynamicTools?: DynamicToolSpec[];
}

export const ThreadForkParams = Type.Object(
  {
    threadId: Type.String({ description: "Thread to copy (UUID)." }),
    path: experimental(
      "0.104",
      text("Path of its rollout file; takes precedence over `threadId`."),
    ),
    lastTurnId: text("Last turn to copy. Default: all."),
    beforeTurnId: experimental("0.166", text("First turn not to copy, instead of `lastTurnId`.")),
    ...settings,
    ephemeral: flag("Does not persist the copy."),
    threadSource,
    excludeTurns: flag("Omits the turns from the result; read them with `thread/turns/list`."),
  },
  { $id: "ThreadForkParams", description: "Params of `thread/fork`." },
);
export interface ThreadForkParams extends Static<typeof ThreadForkParams> {}

const result = {
  thread: described(Thread, "Thread id."),
  model: Type.String({ description: "Model name." }),
  modelProvider: Type.String({ description: "Model provider." }),
  serviceTier: since("0.166", Nullable(Type.String(), { description: "Service tier." })),
  disabledPluginIds: since("0.166", Type.Array(Type.String(), { description: "Always empty." })),
  cwd: Type.String({ description: "Working directory of commands." }),
  runtimeWorkspaceRoots: since(
    "0.166",
    Type.Array(Type.String(), { description: "Workspace directories." }),
  ),
  instructionSources: since(
    "0.166",
    Type.Array(Type.String(), {
      description: "Files that the instructions were read from.",
    }),
  ),
  approvalPolicy: described(AskForApproval, "Approval policy."),
  approvalsReviewer: since("0.166", described(ApprovalsReviewer, "Reviewer of approval requests.")),
  sandbox: described(SandboxPolicy, "Sandbox policy."),
  activePermissionProfile: since(
    "0.166",
    Nullable(ActivePermissionProfile, { description: "Permission profile, if one is active." }),
  ),
  reasoningEffort: Nullable(ReasoningEffort, { description: "Reasoning effort." }),
  multiAgentMode: since("0.166", Type.String({ description: "Always `explicitRequestOnly`." })),
};

export const ThreadStartResponse = Type.Object(result, {
  $id: "ThreadStartResponse",
  description: "Result of `thread/start`: the thread and its settings.",
});
export interface ThreadStartResponse extends Static<typeof ThreadStartResponse> {
  thread: Thread;
  sandbox: SandboxPolicy;
  approvalPolicy: AskForApproval;
}

export const ThreadResumeResponse = Type.Object(
  {
    ...result,
    collaborationMode: since(
      "0.166",
      Nullable(CollaborationMode, { description: "Collaboration mode." }),
    ),
    initialTurnsPage: since(
      "0.166",
      Nullable(TurnsPage, { description: "Page of turns, if requested." }),
    ),
    turnsBackwardsCursor: since(
      "0.166",
      Nullable(Type.String(), {
        description:
          "Cursor for `thread/turns/list` in descending order; it starts with the last turn.",
      }),
    ),
    itemsBackwardsCursor: since(
      "0.166",
      Nullable(Type.String(), {
        description:
          "Cursor for `thread/items/list` in descending order; it starts with the last item.",
      }),
    ),
  },
  {
    $id: "ThreadResumeResponse",
    description: "Result of `thread/resume`: the thread and its settings.",
  },
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
