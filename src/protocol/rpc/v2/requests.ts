import Type, { type Static } from "typebox";
import { UserInputResponse } from "../../approval.js";
import { Nullable, Nullish } from "../../schema.js";
import { defineNotification, defineServerRequest } from "../declare.js";
import { place, startedAtMs, turnPlace } from "./common.js";
import { CommandAction, DynamicToolCallOutputContentItem } from "./item-parts.js";

export { UserInputResponse } from "../../approval.js";

export const CommandExecutionRequestApprovalParams = Type.Object(
  {
    kind: Type.Enum(["command", "writeStdin"], {
      description: "Whether a command starts or one that runs is typed into.",
    }),
    ...place,
    startedAtMs,
    approvalId: Nullish(Type.String(), {
      description: "Tells questions about one item apart, where there are several.",
    }),
    environmentId: Nullable(Type.String(), { description: "Always `local`: there is one place." }),
    reason: Nullish(Type.String(), { description: "Why it is asked." }),
    command: Nullish(Type.String(), { description: "The command as one would type it." }),
    cwd: Nullish(Type.String(), { description: "Where it runs." }),
    commandActions: Nullish(Type.Array(CommandAction), { description: "What it does." }),
    proposedExecpolicyAmendment: Nullish(Type.Array(Type.String()), {
      description: "First words of commands that could be allowed from now on.",
    }),
    availableDecisions: Nullish(Type.Array(Type.Unknown()), {
      description: "The answers that make sense.",
    }),
  },
  { $id: "CommandExecutionRequestApprovalParams", description: "May this command run?" },
);
export interface CommandExecutionRequestApprovalParams
  extends Static<typeof CommandExecutionRequestApprovalParams> {}

export const AcceptWithExecpolicyAmendment = Type.Object(
  {
    acceptWithExecpolicyAmendment: Type.Object(
      {
        execpolicy_amendment: Type.Array(Type.String(), {
          description: "First words of the commands to allow from now on.",
        }),
      },
      { description: "The rule to remember." },
    ),
  },
  {
    $id: "AcceptWithExecpolicyAmendment",
    description: "Yes, and remember a rule for commands that begin alike.",
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
      { description: "Yes, yes for the session, no, or no and stop the turn." },
    ),
  },
  { $id: "CommandExecutionRequestApprovalResponse", description: "Whether a command may run." },
);
export interface CommandExecutionRequestApprovalResponse
  extends Static<typeof CommandExecutionRequestApprovalResponse> {}

export const FileChangeRequestApprovalParams = Type.Object(
  {
    ...place,
    startedAtMs,
    reason: Nullish(Type.String(), { description: "Why it is asked." }),
    grantRoot: Nullish(Type.String(), {
      description: "A folder that could be written to for the rest of the session.",
    }),
  },
  { $id: "FileChangeRequestApprovalParams", description: "May these files be changed?" },
);
export interface FileChangeRequestApprovalParams
  extends Static<typeof FileChangeRequestApprovalParams> {}

export const FileChangeRequestApprovalResponse = Type.Object(
  {
    decision: Type.Enum(["accept", "acceptForSession", "decline", "cancel"], {
      description: "Yes, yes for the session, no, or no and stop the turn.",
    }),
  },
  { $id: "FileChangeRequestApprovalResponse", description: "Whether files may be changed." },
);
export interface FileChangeRequestApprovalResponse
  extends Static<typeof FileChangeRequestApprovalResponse> {}

export const ToolRequestUserInputOption = Type.Object(
  {
    label: Type.String({ description: "The choice in a word or two." }),
    description: Type.String({ description: "What choosing it means." }),
  },
  { $id: "ToolRequestUserInputOption", description: "A choice offered to the user." },
);
export interface ToolRequestUserInputOption extends Static<typeof ToolRequestUserInputOption> {}

export const ToolRequestUserInputQuestion = Type.Object(
  {
    id: Type.String({ description: "The key of its answer." }),
    header: Type.String({ description: "A short title." }),
    question: Type.String({ description: "The question." }),
    isOther: Type.Boolean({ description: "Whether a free answer may be given besides." }),
    isSecret: Type.Boolean({ description: "Whether the answer is not to be shown." }),
    options: Nullable(Type.Array(ToolRequestUserInputOption), {
      description: "The choices, if it is not a free question.",
    }),
  },
  { $id: "ToolRequestUserInputQuestion", description: "A question of the model to the user." },
);
export interface ToolRequestUserInputQuestion extends Static<typeof ToolRequestUserInputQuestion> {}

export const ToolRequestUserInputParams = Type.Object(
  {
    ...place,
    questions: Type.Array(ToolRequestUserInputQuestion, { description: "What is asked." }),
    isBlocking: Type.Boolean({ description: "The turn waits for the answer." }),
    autoResolutionMs: Nullable(Type.Integer(), {
      description: "After what time it goes on without an answer; null for never.",
    }),
  },
  { $id: "ToolRequestUserInputParams", description: "The model asks the user." },
);
export interface ToolRequestUserInputParams extends Static<typeof ToolRequestUserInputParams> {}

export const DynamicToolCallParams = Type.Object(
  {
    ...turnPlace,
    callId: Type.String({ description: "Names the call." }),
    namespace: Nullable(Type.String(), { description: "The group its tool is in." }),
    tool: Type.String({ description: "The tool." }),
    arguments: Type.Unknown({ description: "What the tool is given." }),
  },
  { $id: "DynamicToolCallParams", description: "Which of the client's tools is to run." },
);
export interface DynamicToolCallParams extends Static<typeof DynamicToolCallParams> {}

export const DynamicToolCallResponse = Type.Object(
  {
    contentItems: Type.Array(DynamicToolCallOutputContentItem, {
      description: "What the model is told.",
    }),
    success: Type.Boolean({ description: "Whether the tool did what it should." }),
  },
  { $id: "DynamicToolCallResponse", description: "What a tool of the client answered." },
);
export interface DynamicToolCallResponse extends Static<typeof DynamicToolCallResponse> {
  contentItems: DynamicToolCallOutputContentItem[];
}

export const McpServerElicitationRequestParams = Type.Object(
  {
    threadId: turnPlace.threadId,
    turnId: Nullable(Type.String(), { description: "The turn it came up in, if that is known." }),
    serverName: Type.String({ description: "The server that asks." }),
    mode: Type.Enum(["form", "url"], { description: "Whether a form or a page is to be shown." }),
    _meta: Type.Unknown({ description: "What the server says besides, or null." }),
    message: Type.String({ description: "What it asks." }),
    requestedSchema: Type.Optional(
      Type.Unknown({ description: "What is to be filled in, as JSON Schema (`form`)." }),
    ),
    url: Type.Optional(Type.String({ description: "The page (`url`)." })),
    elicitationId: Type.Optional(Type.String({ description: "Names the question (`url`)." })),
  },
  { $id: "McpServerElicitationRequestParams", description: "An MCP server asks the user." },
);
export interface McpServerElicitationRequestParams
  extends Static<typeof McpServerElicitationRequestParams> {}

export const McpServerElicitationRequestResponse = Type.Object(
  {
    action: Type.Enum(["accept", "decline", "cancel"], { description: "What the user does." }),
    content: Type.Unknown({ description: "What was filled in, or null." }),
    _meta: Type.Unknown({ description: "What the client says besides, or null." }),
  },
  { $id: "McpServerElicitationRequestResponse", description: "The user's answer to a server." },
);
export interface McpServerElicitationRequestResponse
  extends Static<typeof McpServerElicitationRequestResponse> {}

export const ServerRequestResolvedNotification = Type.Object(
  {
    threadId: turnPlace.threadId,
    requestId: Type.Union([Type.String(), Type.Integer()], {
      description: "The `id` of the request.",
    }),
  },
  {
    $id: "ServerRequestResolvedNotification",
    description: "A request of ours needs no answer any more.",
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
  }),
];
