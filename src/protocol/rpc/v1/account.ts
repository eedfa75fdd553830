import Type, { type Static } from "typebox";
import { Nullable } from "../../schema.js";
import { defineMethod, defineNotification } from "../declare.js";
import { NoParams } from "./system.js";

const authMethod = Type.Optional(
  Type.String({ description: "`apikey` or `chatgpt`; absent when nobody is signed in." }),
);
const loginId = Type.String({ description: "The login, by its UUID." });

export const LoginApiKeyParams = Type.Object(
  { apiKey: Type.String({ description: "The key." }) },
  { $id: "LoginApiKeyParams", description: "Signs in with a key." },
);
export interface LoginApiKeyParams extends Static<typeof LoginApiKeyParams> {}

export const LoginChatGptResponse = Type.Object(
  { loginId, authUrl: Type.String({ description: "To be opened in the user's browser." }) },
  { $id: "LoginChatGptResponse", description: "Answers `loginChatGpt`." },
);
export interface LoginChatGptResponse extends Static<typeof LoginChatGptResponse> {}

export const CancelLoginChatGptParams = Type.Object(
  { loginId },
  { $id: "CancelLoginChatGptParams", description: "Which login is given up." },
);
export interface CancelLoginChatGptParams extends Static<typeof CancelLoginChatGptParams> {}

export const GetAuthStatusParams = Type.Object(
  {
    includeToken: Type.Optional(Type.Boolean({ description: "Whether to tell the token too." })),
    refreshToken: Type.Optional(Type.Boolean({ description: "Whether to renew it first." })),
  },
  { $id: "GetAuthStatusParams", description: "How much to tell of the login." },
);
export interface GetAuthStatusParams extends Static<typeof GetAuthStatusParams> {}

export const GetAuthStatusResponse = Type.Object(
  {
    authMethod,
    authToken: Type.Optional(Type.String({ description: "The key or the access token." })),
    requiresOpenaiAuth: Type.Optional(
      Type.Boolean({ description: "Whether the provider in use needs a login." }),
    ),
  },
  { $id: "GetAuthStatusResponse", description: "Answers `getAuthStatus`." },
);
export interface GetAuthStatusResponse extends Static<typeof GetAuthStatusResponse> {}

export const UserInfoResponse = Type.Object(
  {
    allegedUserEmail: Nullable(Type.String(), {
      description: "What the login says, unchecked: for showing, not for deciding.",
    }),
  },
  { $id: "UserInfoResponse", description: "Answers `userInfo`." },
);
export interface UserInfoResponse extends Static<typeof UserInfoResponse> {}

export const AuthStatusChangeNotification = Type.Object(
  { authMethod },
  { $id: "AuthStatusChangeNotification", description: "Someone signed in or out." },
);
export interface AuthStatusChangeNotification extends Static<typeof AuthStatusChangeNotification> {}

export const LoginChatGptCompleteNotification = Type.Object(
  {
    loginId,
    success: Type.Boolean({ description: "Whether the user is signed in now." }),
    error: Type.Optional(Type.String({ description: "Why not." })),
  },
  { $id: "LoginChatGptCompleteNotification", description: "A login in the browser has ended." },
);
export interface LoginChatGptCompleteNotification
  extends Static<typeof LoginChatGptCompleteNotification> {}

export const LoginApiKeyResponse = Type.Object(
  {},
  { $id: "LoginApiKeyResponse", description: "Answers `loginApiKey`: it is done." },
);
export interface LoginApiKeyResponse extends Static<typeof LoginApiKeyResponse> {}

export const CancelLoginChatGptResponse = Type.Object(
  {},
  { $id: "CancelLoginChatGptResponse", description: "Answers `cancelLoginChatGpt`: it is done." },
);
export interface CancelLoginChatGptResponse extends Static<typeof CancelLoginChatGptResponse> {}

export const LogoutChatGptResponse = Type.Object(
  {},
  { $id: "LogoutChatGptResponse", description: "Answers `logoutChatGpt`: it is done." },
);
export interface LogoutChatGptResponse extends Static<typeof LogoutChatGptResponse> {}

export const accountMethods = [
  defineMethod({
    name: "loginApiKey",
    summary: "Signs in with an API key.",
    scope: "server",
    params: LoginApiKeyParams,
    result: LoginApiKeyResponse,
  }),
  defineMethod({
    name: "loginChatGpt",
    summary: "Starts a browser login; `loginChatGptComplete` reports the outcome.",
    scope: "server",
    params: NoParams,
    result: LoginChatGptResponse,
  }),
  defineMethod({
    name: "cancelLoginChatGpt",
    summary: "Cancels a pending browser login.",
    scope: "server",
    params: CancelLoginChatGptParams,
    result: CancelLoginChatGptResponse,
  }),
  defineMethod({
    name: "logoutChatGpt",
    summary: "Signs out, from an API key too.",
    scope: "server",
    params: NoParams,
    result: LogoutChatGptResponse,
  }),
  defineMethod({
    name: "getAuthStatus",
    summary: "Returns the sign-in method.",
    scope: "server",
    params: GetAuthStatusParams,
    result: GetAuthStatusResponse,
  }),
  defineMethod({
    name: "userInfo",
    summary: "Returns the user's email address, if the sign-in includes it.",
    scope: "server",
    params: NoParams,
    result: UserInfoResponse,
  }),
];

export const accountNotifications = [
  defineNotification({
    name: "authStatusChange",
    summary: "The user signed in or out.",
    scope: "server",
    params: AuthStatusChangeNotification,
  }),
  defineNotification({
    name: "loginChatGptComplete",
    summary: "A browser login has ended.",
    scope: "server",
    params: LoginChatGptCompleteNotification,
  }),
];
