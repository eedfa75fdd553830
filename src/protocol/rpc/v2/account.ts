import Type, { type Static } from "typebox";
import { described, Nullable, Nullish, since, taggedUnion } from "../../schema.js";
import { defineMethod, defineNotification, defineServerRequest } from "../declare.js";
import { EmptyResponse, NoParams } from "./common.js";
import { RateLimitSnapshot } from "./status.js";

const loginId = Type.String({ description: "Login id (UUID)." });
const planType = Type.String({ description: "Plan of the account, or `unknown`." });

export const ApiKeyAccount = Type.Object(
  { type: Type.Literal("apiKey") },
  { $id: "ApiKeyAccount", description: "An account with an API key." },
);
export interface ApiKeyAccount extends Static<typeof ApiKeyAccount> {}

export const ChatgptAccount = Type.Object(
  {
    type: Type.Literal("chatgpt"),
    email: Nullable(Type.String(), {
      description: "Email address in the token, unverified; for display only.",
    }),
    planType,
    workspaceName: since("0.166", Type.Null({ description: "Always null." })),
  },
  { $id: "ChatgptAccount", description: "A ChatGPT account." },
);
export interface ChatgptAccount extends Static<typeof ChatgptAccount> {}

export const Account = taggedUnion(
  "Account",
  "type",
  [ApiKeyAccount, ChatgptAccount],
  "The current account.",
);
/** The current account. */
export type Account = Static<typeof Account>;

export const GetAccountParams = Type.Object(
  { refreshToken: Type.Optional(Type.Boolean({ description: "Refreshes the token first." })) },
  { $id: "GetAccountParams", description: "Params of `account/read`." },
);
export interface GetAccountParams extends Static<typeof GetAccountParams> {}

export const GetAccountResponse = Type.Object(
  {
    account: Nullable(Account, { description: "Current account; `null` if not signed in." }),
    requiresOpenaiAuth: Type.Boolean({
      description: "True if the current provider requires a sign-in.",
    }),
    workspaceRouting: since("0.166", Type.Null({ description: "Always null." })),
  },
  { $id: "GetAccountResponse", description: "Result of `account/read`." },
);
export interface GetAccountResponse extends Static<typeof GetAccountResponse> {}

const LoginWithKey = Type.Object({
  type: Type.Literal("apiKey"),
  apiKey: Type.String({ description: "API key." }),
});
const LoginInBrowser = Type.Object({ type: Type.Literal("chatgpt") });
const LoginWithCode = Type.Object({ type: Type.Literal("chatgptDeviceCode") });
const LoginWithTokens = Type.Object({
  type: Type.Literal("chatgptAuthTokens"),
  accessToken: Type.String({ description: "Access token; it is not stored." }),
  chatgptAccountId: Nullish(Type.String(), {
    description: "Account or workspace id. Default: the one in the token.",
  }),
  chatgptPlanType: Nullish(Type.String(), {
    description: "Plan. Default: the one in the token.",
  }),
});

export const LoginAccountParams = taggedUnion(
  "LoginAccountParams",
  "type",
  [LoginWithKey, LoginInBrowser, LoginWithCode, LoginWithTokens],
  "Sign-in method: API key, browser, device code, or tokens that the client manages.",
);
/** Sign-in method. */
export type LoginAccountParams = Static<typeof LoginAccountParams>;

const KeyTaken = Type.Object({ type: Type.Literal("apiKey") });
const TokensTaken = Type.Object({ type: Type.Literal("chatgptAuthTokens") });
const BrowserAwaited = Type.Object({
  type: Type.Literal("chatgpt"),
  loginId,
  authUrl: Type.String({ description: "URL to open in the user's browser." }),
});
const CodeAwaited = Type.Object({
  type: Type.Literal("chatgptDeviceCode"),
  loginId,
  verificationUrl: Type.String({ description: "URL where the user signs in." }),
  userCode: Type.String({ description: "Code that the user enters there." }),
});

export const LoginAccountResponse = taggedUnion(
  "LoginAccountResponse",
  "type",
  [KeyTaken, TokensTaken, BrowserAwaited, CodeAwaited],
  "Result of `account/login/start`: the login is complete, or the next step for the user.",
);
/** Result of `account/login/start`: the login is complete, or the next step for the user. */
export type LoginAccountResponse = Static<typeof LoginAccountResponse>;

export const CancelLoginAccountParams = Type.Object(
  { loginId },
  { $id: "CancelLoginAccountParams", description: "Params of `cancelLoginChatGpt`." },
);
export interface CancelLoginAccountParams extends Static<typeof CancelLoginAccountParams> {}

export const CancelLoginAccountResponse = Type.Object(
  {
    status: Type.Enum(["canceled", "notFound"], {
      description: "`canceled`, or `notFound` if no such login is pending.",
    }),
  },
  { $id: "CancelLoginAccountResponse", description: "Result of `account/login/cancel`." },
);
export interface CancelLoginAccountResponse extends Static<typeof CancelLoginAccountResponse> {}

export const GetAccountRateLimitsResponse = Type.Object(
  {
    ordinaryUsageAllowed: since(
      "0.166",
      Nullable(Type.Boolean(), {
        description: "True if the plan still covers requests.",
      }),
    ),
    rateLimits: described(RateLimitSnapshot, "Rate limits of the account."),
    rateLimitsByLimitId: Nullable(Type.Record(Type.String(), RateLimitSnapshot), {
      description: "Rate limits by id.",
    }),
    rateLimitResetCredits: since("0.166", Type.Null({ description: "Always null." })),
    accountId: since("0.166", Nullable(Type.String(), { description: "Account id." })),
    rateLimitUpsell: since("0.166", Type.Null({ description: "Always null." })),
  },
  { $id: "GetAccountRateLimitsResponse", description: "Rate limits and their usage." },
);
export interface GetAccountRateLimitsResponse extends Static<typeof GetAccountRateLimitsResponse> {}

export const AccountUpdatedNotification = Type.Object(
  {
    authMode: Nullable(Type.Enum(["apikey", "chatgpt", "chatgptAuthTokens"]), {
      description: "Sign-in method; `null` if not signed in.",
    }),
    planType: since("0.166", Nullable(planType, { description: "Plan of the account." })),
  },
  { $id: "AccountUpdatedNotification", description: "The user signed in or out." },
);
export interface AccountUpdatedNotification extends Static<typeof AccountUpdatedNotification> {}

export const AccountLoginCompletedNotification = Type.Object(
  {
    loginId: Nullable(loginId, { description: "Login id; null for an API key." }),
    success: Type.Boolean({ description: "True if the login succeeded." }),
    error: Nullable(Type.String(), { description: "Error message." }),
    onboardingEntrypoint: since("0.166", Type.Null({ description: "Always null." })),
  },
  { $id: "AccountLoginCompletedNotification", description: "A login succeeded or failed." },
);
export interface AccountLoginCompletedNotification
  extends Static<typeof AccountLoginCompletedNotification> {}

export const ChatgptAuthTokensRefreshParams = Type.Object(
  {
    reason: Type.Enum(["unauthorized"], { description: "Always `unauthorized`." }),
    previousAccountId: Nullable(Type.String(), { description: "Account of the previous tokens." }),
  },
  {
    $id: "ChatgptAuthTokensRefreshParams",
    description: "Params of `account/chatgptAuthTokens/refresh`.",
  },
);
export interface ChatgptAuthTokensRefreshParams
  extends Static<typeof ChatgptAuthTokensRefreshParams> {}

export const ChatgptAuthTokensRefreshResponse = Type.Object(
  {
    accessToken: Type.String({ description: "New access token." }),
    chatgptAccountId: Type.String({ description: "Account or workspace id." }),
    chatgptPlanType: Nullish(Type.String(), { description: "Plan." }),
  },
  {
    $id: "ChatgptAuthTokensRefreshResponse",
    description: "Result of `account/chatgptAuthTokens/refresh`.",
  },
);
export interface ChatgptAuthTokensRefreshResponse
  extends Static<typeof ChatgptAuthTokensRefreshResponse> {}

export const accountMethods = [
  defineServerRequest({
    name: "account/chatgptAuthTokens/refresh",
    summary: "Asks the client that signed in with external tokens to refresh them.",
    scope: "connection",
    params: ChatgptAuthTokensRefreshParams,
    result: ChatgptAuthTokensRefreshResponse,
  }),
  defineMethod({
    name: "account/read",
    summary: "Returns the current account.",
    scope: "server",
    params: GetAccountParams,
    result: GetAccountResponse,
  }),
  defineMethod({
    name: "account/login/start",
    summary: "Signs in with an API key, or starts a browser or device-code login.",
    scope: "server",
    params: LoginAccountParams,
    result: LoginAccountResponse,
  }),
  defineMethod({
    name: "account/login/cancel",
    summary: "Cancels a pending login.",
    scope: "server",
    params: CancelLoginAccountParams,
    result: CancelLoginAccountResponse,
  }),
  defineMethod({
    name: "account/logout",
    summary: "Signs out and deletes the stored credentials.",
    scope: "server",
    params: NoParams,
    result: EmptyResponse,
  }),
  defineMethod({
    name: "account/rateLimits/read",
    summary: "Returns the rate limits of the account and their usage.",
    scope: "server",
    params: NoParams,
    result: GetAccountRateLimitsResponse,
  }),
  defineNotification({
    name: "account/updated",
    summary: "The user signed in or out, or the plan changed.",
    scope: "server",
    params: AccountUpdatedNotification,
  }),
  defineNotification({
    name: "account/login/completed",
    summary: "A login succeeded or failed.",
    scope: "server",
    params: AccountLoginCompletedNotification,
  }),
];
