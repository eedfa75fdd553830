import Type, { type Static } from "typebox";
import { Nullable } from "../../schema.js";
import { defineMethod, defineNotification } from "../declare.js";
import { NoParams } from "./system.js";

const authMethod = Type.Optional(
  Type.String({ description: "`apikey` or `chatgpt`; absent if not signed in." }),
);
const loginId = Type.String({ description: "Login id (UUID)." });

export const LoginApiKeyParams = Type.Object(
  { apiKey: Type.String({ description: "API key." }) },
  { $id: "LoginApiKeyParams", description: "Params of `loginApiKey`." },
);
export interface LoginApiKeyParams extends Static<typeof LoginApiKeyParams> {}

export const LoginChatGptResponse = Type.Object(
  { loginId, authUrl: Type.String({ description: "URL to open in the user's browser." }) },
  { $id: "LoginChatGptResponse", description: "Result of `loginChatGpt`." },
);
export interface LoginChatGptResponse extends Static<typeof LoginChatGptResponse> {}

export const CancelLoginChatGptParams = Type.Object(
  { loginId },
  { $id: "CancelLoginChatGptParams", description: "Params of `cancelLoginChatGpt`." },
);
export interface CancelLoginChatGptParams extends Static<typeof CancelLoginChatGptParams> {}

export const GetAuthStatusParams = Type.Object(
  {
    includeToken: Type.Optional(Type.Boolean({ description: "Includes the token in the result." })),
    refreshToken: Type.Optional(Type.Boolean({ description: "Refreshes the token first." })),
  },
  { $id: "GetAuthStatusParams", description: "Params of `getAuthStatus`." },
);
export interface GetAuthStatusParams extends Static<typeof GetAuthStatusParams> {}

export const GetAuthStatusResponse = Type.Object(
  {
    authMethod,
    authToken: Type.Optional(Type.String({ description: "API key or access token." })),
    requiresOpenaiAuth: Type.Optional(
      Type.Boolean({ description: "True if the current provider requires a sign-in." }),
    ),
  },
  { $id: "GetAuthStatusResponse", description: "Result of `getAuthStatus`." },
);
export interface GetAuthStatusResponse extends Static<typeof GetAuthStatusResponse> {}

export const UserInfoResponse = Type.Object(
  {
    allegedUserEmail: Nullable(Type.String(), {
      description: "Email address in the token, unverified; for display only.",
    }),
  },
  { $id: "UserInfoResponse", description: "Result of `userInfo`." },
);
export interface UserInfoResponse extends Static<typeof UserInfoResponse> {}

export const AuthStatusChangeNotification = Type.Object(
  { authMethod },
  { $id: "AuthStatusChangeNotification", description: "The user signed in or out." },
);
export interface AuthStatusChangeNotification extends Static<typeof AuthStatusChangeNotification> {}

export const LoginChatGptCompleteNotification = Type.Object(
  {
    loginId,
    success: Type.Boolean({ description: "True if the login succeeded." }),
    error: Type.Optional(Type.String({ description: "Error message." })),
  },
  { $id: "LoginChatGptCompleteNotification", description: "A browser login has ended." },
);
export interface LoginChatGptCompleteNotification
  extends Static<typeof LoginChatGptCompleteNotification> {}

export const LoginApiKeyResponse = Type.Object(
  {},
  { $id: "LoginApiKeyResponse", description: "Result of `loginApiKey`." },
);
export interface LoginApiKeyResponse extends Static<typeof LoginApiKeyResponse> {}

export const CancelLoginChatGptResponse = Type.Object(
  {},
  { $id: "CancelLoginChatGptResponse", description: "Result of `cancelLoginChatGpt`." },
);
export interface CancelLoginChatGptResponse extends Static<typeof CancelLoginChatGptResponse> {}

export const LogoutChatGptResponse = Type.Object(
  {},
  { $id: "LogoutChatGptResponse", description: "Result of `logoutChatGpt`." },
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
