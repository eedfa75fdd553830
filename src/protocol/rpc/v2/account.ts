import Type, { type Static } from "typebox";
import { described, Nullable, Nullish, taggedUnion } from "../../schema.js";
import { defineMethod, defineNotification, defineServerRequest } from "../declare.js";
import { EmptyResponse, NoParams } from "./common.js";
import { RateLimitSnapshot } from "./status.js";

const loginId = Type.String({ description: "The login, by its UUID." });
const planType = Type.String({ description: "The plan of the account; `unknown` if so." });

export const ApiKeyAccount = Type.Object(
  { type: Type.Literal("apiKey") },
  { $id: "ApiKeyAccount", description: "Someone signed in with a key." },
);
export interface ApiKeyAccount extends Static<typeof ApiKeyAccount> {}

export const ChatgptAccount = Type.Object(
  {
    type: Type.Literal("chatgpt"),
    email: Nullable(Type.String(), {
      description: "What the login says, unchecked: for showing, not for deciding.",
    }),
    planType,
    workspaceName: Type.Null({ description: "The login does not say it." }),
  },
  { $id: "ChatgptAccount", description: "Someone signed in with a ChatGPT account." },
);
export interface ChatgptAccount extends Static<typeof ChatgptAccount> {}

export const Account = taggedUnion(
  "Account",
  "type",
  [ApiKeyAccount, ChatgptAccount],
  "Who is signed in.",
);
/** Who is signed in. */
export type Account = Static<typeof Account>;

export const GetAccountParams = Type.Object(
  { refreshToken: Type.Optional(Type.Boolean({ description: "Whether to renew it first." })) },
  { $id: "GetAccountParams", description: "How to look at the login." },
);
export interface GetAccountParams extends Static<typeof GetAccountParams> {}

export const GetAccountResponse = Type.Object(
  {
    account: Nullable(Account, { description: "Who is signed in; `null`: nobody." }),
    requiresOpenaiAuth: Type.Boolean({ description: "Whether the provider in use needs a login." }),
    workspaceRouting: Type.Null({ description: "There is one place for all requests." }),
  },
  { $id: "GetAccountResponse", description: "Who is signed in, and whether someone must be." },
);
export interface GetAccountResponse extends Static<typeof GetAccountResponse> {}

const LoginWithKey = Type.Object({
  type: Type.Literal("apiKey"),
  apiKey: Type.String({ description: "The key." }),
});
const LoginInBrowser = Type.Object({ type: Type.Literal("chatgpt") });
const LoginWithCode = Type.Object({ type: Type.Literal("chatgptDeviceCode") });
const LoginWithTokens = Type.Object({
  type: Type.Literal("chatgptAuthTokens"),
  accessToken: Type.String({ description: "What requests are signed with; it is not stored." }),
  chatgptAccountId: Nullish(Type.String(), {
    description: "The account or workspace; what the token says if absent.",
  }),
  chatgptPlanType: Nullish(Type.String(), {
    description: "The plan; what the token says if absent.",
  }),
});

export const LoginAccountParams = taggedUnion(
  "LoginAccountParams",
  "type",
  [LoginWithKey, LoginInBrowser, LoginWithCode, LoginWithTokens],
  "How to sign in: with a key, in the browser, with a code entered on any device, or with tokens that the client keeps.",
);
/** How to sign in. */
export type LoginAccountParams = Static<typeof LoginAccountParams>;

const KeyTaken = Type.Object({ type: Type.Literal("apiKey") });
const TokensTaken = Type.Object({ type: Type.Literal("chatgptAuthTokens") });
const BrowserAwaited = Type.Object({
  type: Type.Literal("chatgpt"),
  loginId,
  authUrl: Type.String({ description: "To be opened in the user's browser." }),
});
const CodeAwaited = Type.Object({
  type: Type.Literal("chatgptDeviceCode"),
  loginId,
  verificationUrl: Type.String({ description: "Where the user signs in." }),
  userCode: Type.String({ description: "What the user enters there." }),
});

export const LoginAccountResponse = taggedUnion(
  "LoginAccountResponse",
  "type",
  [KeyTaken, TokensTaken, BrowserAwaited, CodeAwaited],
  "The key or the tokens are taken, or what the user has to do now.",
);
/** The key or the tokens are taken, or what the user has to do now. */
export type LoginAccountResponse = Static<typeof LoginAccountResponse>;

export const CancelLoginAccountParams = Type.Object(
  { loginId },
  { $id: "CancelLoginAccountParams", description: "Which login is given up." },
);
export interface CancelLoginAccountParams extends Static<typeof CancelLoginAccountParams> {}

export const CancelLoginAccountResponse = Type.Object(
  {
    status: Type.Enum(["canceled", "notFound"], {
      description: "Whether it was under way.",
    }),
  },
  { $id: "CancelLoginAccountResponse", description: "Whether a login was given up." },
);
export interface CancelLoginAccountResponse extends Static<typeof CancelLoginAccountResponse> {}

export const GetAccountRateLimitsResponse = Type.Object(
  {
    ordinaryUsageAllowed: Nullable(Type.Boolean(), {
      description: "Whether the plan still covers requests.",
    }),
    rateLimits: described(RateLimitSnapshot, "The limits of the account."),
    rateLimitsByLimitId: Nullable(Type.Record(Type.String(), RateLimitSnapshot), {
      description: "All limits by their ids.",
    }),
    rateLimitResetCredits: Type.Null({ description: "Not asked for." }),
    accountId: Nullable(Type.String(), { description: "Whose limits they are." }),
    rateLimitUpsell: Type.Null({ description: "Not passed on." }),
  },
  { $id: "GetAccountRateLimitsResponse", description: "How far the limits are used up." },
);
export interface GetAccountRateLimitsResponse extends Static<typeof GetAccountRateLimitsResponse> {}

export const AccountUpdatedNotification = Type.Object(
  {
    authMode: Nullable(Type.Enum(["apikey", "chatgpt", "chatgptAuthTokens"]), {
      description: "How one is signed in now; `null`: not at all.",
    }),
    planType: Nullable(planType, { description: "The plan of the account." }),
  },
  { $id: "AccountUpdatedNotification", description: "Someone signed in or out." },
);
export interface AccountUpdatedNotification extends Static<typeof AccountUpdatedNotification> {}

export const AccountLoginCompletedNotification = Type.Object(
  {
    loginId: Nullable(loginId, { description: "Which login; a key has none." }),
    success: Type.Boolean({ description: "Whether the user is signed in now." }),
    error: Nullable(Type.String(), { description: "Why not." }),
    onboardingEntrypoint: Type.Null({ description: "Nothing follows a login." }),
  },
  { $id: "AccountLoginCompletedNotification", description: "A login has ended." },
);
export interface AccountLoginCompletedNotification
  extends Static<typeof AccountLoginCompletedNotification> {}

export const ChatgptAuthTokensRefreshParams = Type.Object(
  {
    reason: Type.Enum(["unauthorized"], { description: "Why: they were refused." }),
    previousAccountId: Nullable(Type.String(), { description: "The account they were for." }),
  },
  { $id: "ChatgptAuthTokensRefreshParams", description: "Why newer tokens are needed." },
);
export interface ChatgptAuthTokensRefreshParams
  extends Static<typeof ChatgptAuthTokensRefreshParams> {}

export const ChatgptAuthTokensRefreshResponse = Type.Object(
  {
    accessToken: Type.String({ description: "What requests are signed with now." }),
    chatgptAccountId: Type.String({ description: "The account or workspace." }),
    chatgptPlanType: Nullish(Type.String(), { description: "The plan." }),
  },
  { $id: "ChatgptAuthTokensRefreshResponse", description: "Newer tokens." },
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
