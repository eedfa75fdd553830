import type { Check } from "../../checks/check.js";
import * as checks from "../../checks/v1.generated.js";
import { defineBareMethod, defineMethod, type RpcMethod } from "../method.js";
import type {
  CancelLoginChatGptParams,
  GetAuthStatusParams,
  LoginApiKeyParams,
} from "./account.js";
import type {
  ArchiveConversationParams,
  ConversationParams,
  ListConversationsParams,
  NewConversationParams,
  RemoveConversationListenerParams,
  ResumeConversationParams,
  SendUserMessageParams,
  SendUserTurnParams,
} from "./conversation.js";
import { toV1Params } from "./read.js";
import type {
  ExecOneOffCommandParams,
  GitDiffToRemoteParams,
  InitializeParams,
  SetDefaultModelParams,
} from "./system.js";

export const initialize = method<InitializeParams>(
  "initialize",
  "Introduces the client; the first request of a connection.",
  checks.checkInitializeParams,
);

export const newConversation = method<NewConversationParams>(
  "newConversation",
  "Starts a conversation.",
  checks.checkNewConversationParams,
);

export const listConversations = method<ListConversationsParams>(
  "listConversations",
  "Lists recorded conversations, newest first.",
  checks.checkListConversationsParams,
);

export const resumeConversation = method<ResumeConversationParams>(
  "resumeConversation",
  "Goes on with a recorded conversation.",
  checks.checkResumeConversationParams,
);

export const archiveConversation = method<ArchiveConversationParams>(
  "archiveConversation",
  "Ends a conversation and takes it out of the list.",
  checks.checkArchiveConversationParams,
);

export const sendUserMessage = method<SendUserMessageParams>(
  "sendUserMessage",
  "Says something under the settings there are; joins the turn that runs.",
  checks.checkSendUserMessageParams,
);

export const sendUserTurn = method<SendUserTurnParams>(
  "sendUserTurn",
  "Says something with settings, which stay.",
  checks.checkSendUserTurnParams,
);

export const interruptConversation = method<ConversationParams>(
  "interruptConversation",
  "Ends the turn that runs; answered when it has ended.",
  checks.checkConversationParams,
);

export const addConversationListener = method<ConversationParams>(
  "addConversationListener",
  "Asks for the events of a conversation.",
  checks.checkConversationParams,
);

export const removeConversationListener = method<RemoveConversationListenerParams>(
  "removeConversationListener",
  "Ends a subscription.",
  checks.checkRemoveConversationListenerParams,
);

export const gitDiffToRemote = method<GitDiffToRemoteParams>(
  "gitDiffToRemote",
  "Tells what a work tree has that its remote has not.",
  checks.checkGitDiffToRemoteParams,
);

export const loginApiKey = method<LoginApiKeyParams>(
  "loginApiKey",
  "Signs in with a key.",
  checks.checkLoginApiKeyParams,
);

export const loginChatGpt = defineBareMethod(
  "loginChatGpt",
  "Begins a login in the browser; its end is told by `loginChatGptComplete`.",
);

export const cancelLoginChatGpt = method<CancelLoginChatGptParams>(
  "cancelLoginChatGpt",
  "Gives up a login in the browser.",
  checks.checkCancelLoginChatGptParams,
);

export const logoutChatGpt = defineBareMethod("logoutChatGpt", "Signs out, whatever the login.");

export const getAuthStatus = method<GetAuthStatusParams>(
  "getAuthStatus",
  "Tells how one is signed in.",
  checks.checkGetAuthStatusParams,
);

export const getUserSavedConfig = defineBareMethod(
  "getUserSavedConfig",
  "Tells what the user's own config file says.",
);

export const setDefaultModel = method<SetDefaultModelParams>(
  "setDefaultModel",
  "Remembers the model for conversations to come.",
  checks.checkSetDefaultModelParams,
);

export const getUserAgent = defineBareMethod(
  "getUserAgent",
  "Tells what we call ourselves towards the model's server.",
);

export const userInfo = defineBareMethod("userInfo", "Tells what the login says of the user.");

export const execOneOffCommand = method<ExecOneOffCommandParams>(
  "execOneOffCommand",
  "Runs a command outside of any conversation, without asking.",
  checks.checkExecOneOffCommandParams,
);

function method<Params>(name: string, summary: string, valid: Check): RpcMethod<Params> {
  return defineMethod<Params>({ name, summary, read: toV1Params, valid });
}
