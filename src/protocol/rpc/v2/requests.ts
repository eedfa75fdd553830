import Type, { type Static } from "typebox";
import { UserInputResponse } from "../../approval.js";
import { Nullable, Nullish, since } from "../../schema.js";
import { defineNotification, defineServerRequest } from "../declare.js";
import { askingAgent, requestPlace, startedAtMs, turnPlace } from "./common.js";
import { CommandAction, DynamicToolCallOutputContentItem } from "./item-parts.js";

export { UserInputResponse } from "../../approval.js";

export const CommandExecutionRequestApprovalParams = Type.Object(
  {
    kind: since(
      "0.166",
      Type.Enum(["command", "writeStdin"], {
        description: "Kind of request: a new command, or input to a running one.",
      }),
    ),
    ...requestPlace,
    startedAtMs: since("0.166", startedAtMs),
    approvalId: Nullish(Type.String(), {
      description: "Distinguishes several requests for one item.",
    }),
    environmentId: since("0.166", Nullable(Type.String(), { description: "Always `local`." })),
    reason: Nullish(Type.String(), { description: "Reason for the request." }),
    command: Nullish(Type.String(), { description: "Command line." }),
    cwd: Nullish(Type.String(), { description: "Working directory." }),
    commandActions: Nullish(Type.Array(CommandAction), { description: "Description." }),
    proposedExecpolicyAmendment: Nullish(Type.Array(Type.String()), {
      description: "Command prefix that can be allowed from now on.",
    }),
    availableDecisions: since(
      "0.166",
      Nullish(Type.Array(Type.Unknown()), {
        description: "Decisions that the client should offer.",
      }),
    ),
  },
  {
    $id: "CommandExecutionRequestApprovalParams",
    description: "Params of `item/commandExecution/requestApproval`.",
  },
);
export interface CommandExecutionRequestApprovalParams
  extends Static<typeof CommandExecutionRequestApprovalParams> {}

export const AcceptWithExecpolicyAmendment = Type.Object(
  {
    acceptWithExecpolicyAmendment: Type.Object(
      {
        execpolicy_amendment: Type.Array(Type.String(), {
          description: "Command prefix to allow from now on.",
        }),
      },
      { description: "Rule to save." },
    ),
  },
  {
    $id: "AcceptWithExecpolicyAmendment",
    description: "Approves the command and saves a rule for commands with the same prefix.",
  },
);
export interface AcceptWithExecpolicyAmendment
  extends Static<typeof AcceptWithExecpolicyAmendment> {}

export const CommandExecutionRequestApprovalResponse = Type.Object(
  {
    decision: Type.Union(
      [
        Type.Enum(["accept", "acceptForSession", "decline", "cancel"]),
        AcceptWithExecpolicyAmendment,
      ],
      { description: "Accept, accept for the session, decline, or cancel the turn." },
    ),
  },
  {
    $id: "CommandExecutionRequestApprovalResponse",
    description: "Result of `item/commandExecution/requestApproval`.",
  },
);
export interface CommandExecutionRequestApprovalResponse
  extends Static<typeof CommandExecutionRequestApprovalResponse> {}

export const FileChangeRequestApprovalParams = Type.Object(
  {
    ...requestPlace,
    startedAtMs: since("0.166", startedAtMs),
    reason: Nullish(Type.String(), { description: "Reason for the request." }),
    grantRoot: Nullish(Type.String(), {
      description: "Directory that becomes writable if accepted for the session.",
    }),
  },
  {
    $id: "FileChangeRequestApprovalParams",
    description: "Params of `item/fileChange/requestApproval`.",
  },
);
export interface FileChangeRequestApprovalParams
  extends Static<typeof FileChangeRequestApprovalParams> {}

export const FileChangeRequestApprovalResponse = Type.Object(
  {
    decision: Type.Enum(["accept", "acceptForSession", "decline", "cancel"], {
      description: "Accept, accept for the session, decline, or cancel the turn.",
    }),
  },
  {
    $id: "FileChangeRequestApprovalResponse",
    description: "Result of `item/fileChange/requestApproval`.",
  },
);
export interface FileChangeRequestApprovalResponse
  extends Static<typeof FileChangeRequestApprovalResponse> {}

export const ToolRequestUserInputOption = Type.Object(
  {
    label: Type.String({ description: "Short label." }),
    description: Type.String({ description: "Explanation of the choice." }),
  },
  { $id: "ToolRequestUserInputOption", description: "An option of a question." },
);
export interface ToolRequestUserInputOption extends Static<typeof ToolRequestUserInputOption> {}

export const ToolRequestUserInputQuestion = Type.Object(
  {
    id: Type.String({ description: "Key of the answer." }),
    header: Type.String({ description: "Short title." }),
    question: Type.String({ description: "Question text." }),
    isOther: Type.Boolean({ description: "Allows a free-text answer besides the options." }),
    isSecret: Type.Boolean({ description: "Hides the answer while it is typed." }),
    options: Nullable(Type.Array(ToolRequestUserInputOption), {
      description: "Options; absent for a free-text question.",
    }),
  },
  { $id: "ToolRequestUserInputQuestion", description: "A question from the model to the user." },
);
export interface ToolRequestUserInputQuestion extends Static<typeof ToolRequestUserInputQuestion> {}

export const ToolRequestUserInputParams = Type.Object(
  {
    ...requestPlace,
    questions: Type.Array(ToolRequestUserInputQuestion, { description: "The op." }),
    isBlocking: since(
      "0.166",
      Type.Boolean({ description: "True if the turn waits for the answer." }),
    ),
    autoResolutionMs: since(
      "0.166",
      Nullable(Type.Integer(), {
        description:
          "Time in milliseconds after which the turn continues without an answer; null for never.",
      }),
    ),
  },
  { $id: "ToolRequestUserInputParams", description: "Params of `item/tool/requestUserInput`." },
);
export interface ToolRequestUserInputParams extends Static<typeof ToolRequestUserInputParams> {}

export const DynamicToolCallParams = Type.Object(
  {
    ...turnPlace,
    ...askingAgent,
    callId: Type.String({ description: "Tool call id." }),
    namespace: since("0.166", Nullable(Type.String(), { description: "Namespace of the tool." })),
    tool: Type.String({ description: "Name of the tool." }),
    arguments: Type.Unknown({ description: "Arguments of the tool." }),
  },
  { $id: "DynamicToolCallParams", description: "Params of `item/tool/call`." },
);
export interface DynamicToolCallParams extends Static<typeof DynamicToolCallParams> {}

export const DynamicToolCallResponse = Type.Object(
  {
    contentItems: Type.Array(DynamicToolCallOutputContentItem, {
      description: "Content for the model.",
    }),
    success: Type.Boolean({ description: "True if the tool succeeded." }),
  },
  { $id: "DynamicToolCallResponse", description: "Result of `item/tool/call`." },
);
export interface DynamicToolCallResponse extends Static<typeof DynamicToolCallResponse> {
  contentItems: DynamicToolCallOutputContentItem[];
}

export const McpServerElicitationRequestParams = Type.Object(
  {
    threadId: turnPlace.threadId,
    turnId: Nullable(Type.String(), { description: "Turn id, if known." }),
    ...askingAgent,
    serverName: Type.String({ description: "Name of the server." }),
    mode: Type.Enum(["form", "url"], { description: "`form`, or `url` to open a page." }),
    _meta: Type.Unknown({ description: "MCP metadata, or null." }),
    message: Type.String({ description: "Message to the user." }),
    requestedSchema: Type.Optional(
      Type.Unknown({ description: "JSON Schema of the form (`form`)." }),
    ),
    url: Type.Optional(Type.String({ description: "URL of the page (`url`)." })),
    elicitationId: Type.Optional(Type.String({ description: "Elicitation id (`url`)." })),
  },
  {
    $id: "McpServerElicitationRequestParams",
    description: "Params of `mcpServer/elicitation/request`.",
  },
);
export interface McpServerElicitationRequestParams
  extends Static<typeof McpServerElicitationRequestParams> {}

export const McpServerElicitationRequestResponse = Type.Object(
  {
    action: Type.Enum(["accept", "decline", "cancel"], { description: "The user's response." }),
    content: Type.Unknown({ description: "Values of the form, or null." }),
    _meta: Type.Unknown({ description: "MCP metadata, or null." }),
  },
  {
    $id: "McpServerElicitationRequestResponse",
    description: "Result of `mcpServer/elicitation/request`.",
  },
);
export interface McpServerElicitationRequestResponse
  extends Static<typeof McpServerElicitationRequestResponse> {}

export const ServerRequestResolvedNotification = Type.Object(
  {
    threadId: turnPlace.threadId,
    requestId: Type.Union([Type.String(), Type.Integer()], {
      description: "`id` of the request.",
    }),
  },
  {
    $id: "ServerRequestResolvedNotification",
    description: "A server request needs no reply.",
  },
);
export interface ServerRequestResolvedNotification
  extends Static<typeof ServerRequestResolvedNotification> {}

export const requestMethods = [
  defineServerRequest({
    name: "item/commandExecution/requestApproval",
    summary: "Asks the user to approve a command.",
    scope: "thread",
    params: CommandExecutionRequestApprovalParams,
    result: CommandExecutionRequestApprovalResponse,
  }),
  defineServerRequest({
    name: "item/fileChange/requestApproval",
    summary: "Asks the user to approve file changes.",
    scope: "thread",
    params: FileChangeRequestApprovalParams,
    result: FileChangeRequestApprovalResponse,
  }),
  defineServerRequest({
    name: "item/tool/requestUserInput",
    summary: "Asks the user questions of the model.",
    scope: "thread",
    params: ToolRequestUserInputParams,
    result: UserInputResponse,
  }),
  defineServerRequest({
    name: "item/tool/call",
    summary: "Asks the client to run one of its dynamic tools.",
    scope: "thread",
    params: DynamicToolCallParams,
    result: DynamicToolCallResponse,
  }),
  defineServerRequest({
    name: "mcpServer/elicitation/request",
    summary: "Asks the user for input that an MCP server requested.",
    scope: "thread",
    params: McpServerElicitationRequestParams,
    result: McpServerElicitationRequestResponse,
  }),
  defineNotification({
    name: "serverRequest/resolved",
    summary: "A server request needs no reply: another client answered it, or it was cancelled.",
    scope: "connection",
    params: ServerRequestResolvedNotification,
    since: "0.166",
  }),
];
