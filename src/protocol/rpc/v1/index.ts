export {
  AuthStatusChangeNotification,
  CancelLoginChatGptParams,
  GetAuthStatusParams,
  GetAuthStatusResponse,
  LoginApiKeyParams,
  LoginChatGptCompleteNotification,
  LoginChatGptResponse,
  UserInfoResponse,
} from "./account.js";
export {
  ApplyPatchApprovalParams,
  ApprovalResponse,
  ExecCommandApprovalParams,
} from "./approval.js";
export {
  AddConversationSubscriptionResponse,
  ArchiveConversationParams,
  ConversationParams,
  ConversationSummary,
  InterruptConversationResponse,
  ListConversationsParams,
  ListConversationsResponse,
  NewConversationParams,
  NewConversationResponse,
  RemoveConversationListenerParams,
  ResumeConversationParams,
  ResumeConversationResponse,
  SendUserMessageParams,
  SendUserTurnParams,
} from "./conversation.js";
export {
  ClientInfo,
  ExecArbitraryCommandResponse,
  ExecOneOffCommandParams,
  GitDiffToRemoteParams,
  GitDiffToRemoteResponse,
  InitializeParams,
  SetDefaultModelParams,
  UserAgentResponse,
} from "./system.js";
