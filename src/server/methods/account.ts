import { authStatus, type ClientTokens } from "../../auth/index.js";
import { RpcError, type RpcRequest, rpcCodes } from "../../jsonrpc/index.js";
import { isRecord } from "../../protocol/read/check.js";
import type {
  Account,
  AccountUpdatedNotification,
  ChatgptAuthTokensRefreshParams,
  ChatgptAuthTokensRefreshResponse,
  GetAccountParams,
  GetAccountRateLimitsResponse,
  GetAccountResponse,
  LoginAccountParams,
  LoginAccountResponse,
} from "../../protocol/rpc/v2/account.js";
import type { EndedLogin } from "../account/logins.js";
import { readRateLimits, toPlanType } from "../account/rate-limits.js";
import type { Connection, V2Handlers } from "../connection.js";
import type { Server } from "../server.js";

/** Handlers of the account methods. */
export const accountHandlers = {
  "account/read": readAccount,
  "account/login/start": login,
  "account/login/cancel": ({ loginId }, { server }) => ({
    status: server.logins.cancel(loginId) ? "canceled" : "notFound",
  }),
  "account/logout": async (_, { server }, request) => {
    await server.logins.end();
    request.afterReply(() => notifyUpdated(server, null));
    return {};
  },
  "account/rateLimits/read": (_, { server }, request) => readLimits(server, request.signal),
} satisfies Partial<V2Handlers>;

async function readAccount(
  { refreshToken = false }: GetAccountParams,
  connection: Connection,
): Promise<GetAccountResponse> {
  const { logins } = connection.server;
  const { config } = await logins.store();
  const requiresOpenaiAuth = config.provider.requires_openai_auth;
  const account = requiresOpenaiAuth ? await findAccount(connection, refreshToken) : null;
  const answer = { account, requiresOpenaiAuth, workspaceRouting: null };
  return answer;
}

async function findAccount(connection: Connection, renew: boolean): Promise<Account | null> {
  const { logins } = connection.server;
  const source = await logins.tokens();
  if (renew) await source.refresh();
  const auth = await source.current();
  if (auth === undefined) return null;
  if (auth.kind === "api_key") return { type: "apiKey" };
  const { email = null, planType } = await chatgptFacts(connection.server);
  return {
    type: "chatgpt",
    email,
    planType: toPlanType(planType ?? auth.planType),
    workspaceName: null,
  };
}

/** Returns email and plan of the account: as provided by the client, else as stored. */
async function chatgptFacts({ logins, parts }: Server): Promise<{
  email?: string | undefined;
  planType?: string | undefined;
}> {
  const given = await parts.givenTokens();
  if (given.current !== undefined) {
    return { email: given.email, planType: given.current.planType };
  }
  const { store } = await logins.store();
  const status = authStatus(await store.read());
  return status?.method === "chatgpt" ? status : {};
}

async function login(
  params: LoginAccountParams,
  connection: Connection,
  request: RpcRequest,
): Promise<LoginAccountResponse> {
  const { server } = connection;
  const onEnd = (ended: EndedLogin) => void notifyLoginEnded(server, ended);
  switch (params.type) {
    case "chatgpt":
      return { type: "chatgpt", ...(await server.logins.begin(onEnd)) };
    case "chatgptDeviceCode":
      return { type: "chatgptDeviceCode", ...(await server.logins.beginWithCode(onEnd)) };
    case "chatgptAuthTokens": {
      await server.logins.useTokens(toTokens(params), (previous) => renew(connection, previous));
      const auth = await (await server.logins.tokens()).current();
      request.afterReply(() => {
        notifyLoginCompleted(server, { loginId: null, success: true });
        notifyUpdated(server, "chatgptAuthTokens", toPlanType(auth?.planType));
      });
      return { type: "chatgptAuthTokens" };
    }
    case "apiKey": {
      await server.logins.useKey(params.apiKey);
      request.afterReply(() => {
        notifyLoginCompleted(server, { loginId: null, success: true });
        notifyUpdated(server, "apikey");
      });
      return { type: "apiKey" };
    }
  }
}

/** Requests fresh tokens from the client; `undefined` if it is gone or sends none. */
async function renew(
  { peer }: Connection,
  previousAccountId: string | undefined,
): Promise<ClientTokens | undefined> {
  const params: ChatgptAuthTokensRefreshParams = {
    reason: "unauthorized",
    previousAccountId: previousAccountId ?? null,
  };
  const signal = AbortSignal.any([peer.signal, AbortSignal.timeout(renewalMs)]);
  const answer = await peer
    .request("account/chatgptAuthTokens/refresh", params, signal)
    .catch(() => undefined);
  if (!isRecord(answer) || typeof answer.accessToken !== "string") return undefined;
  return toTokens(answer as unknown as ChatgptAuthTokensRefreshResponse);
}

const renewalMs = 10_000;

function toTokens(given: {
  accessToken: string;
  chatgptAccountId?: string | null;
  chatgptPlanType?: string | null;
}): ClientTokens {
  return {
    accessToken: given.accessToken,
    accountId: given.chatgptAccountId ?? undefined,
    planType: given.chatgptPlanType ?? undefined,
  };
}

async function notifyLoginEnded(server: Server, ended: EndedLogin): Promise<void> {
  notifyLoginCompleted(server, ended);
  if (!ended.success) return;
  const { planType } = await chatgptFacts(server);
  notifyUpdated(server, "chatgpt", toPlanType(planType));
}

function notifyLoginCompleted(
  server: Server,
  { loginId, success, error }: { loginId: string | null; success: boolean; error?: string },
): void {
  const notification = { loginId, success, error: error ?? null, onboardingEntrypoint: null };
  server.notifyAll("account/login/completed", notification);
}

function notifyUpdated(
  server: Server,
  authMode: AccountUpdatedNotification["authMode"],
  planType: string | null = null,
): void {
  const notification = { authMode, planType };
  server.notifyAll("account/updated", notification);
}

async function readLimits(
  server: Server,
  signal: AbortSignal,
): Promise<GetAccountRateLimitsResponse> {
  const auth = await (await server.logins.tokens()).current();
  if (auth === undefined) {
    throw refused("codex account authentication required to read rate limits");
  }
  if (auth.kind !== "chatgpt") {
    throw refused("chatgpt authentication required to read rate limits");
  }
  const { chatgpt_base_url: baseUrl } = await server.config();
  const userAgent = await server.parts.userAgent();
  const { limits, allowed } = await readRateLimits({ baseUrl, userAgent }, auth, signal);
  return {
    ordinaryUsageAllowed: allowed,
    rateLimits: limits[0],
    rateLimitsByLimitId: Object.fromEntries(limits.map((limit) => [limit.limitId ?? "", limit])),
    rateLimitResetCredits: null,
    accountId: auth.accountId ?? null,
    rateLimitUpsell: null,
  };
}

function refused(message: string): RpcError {
  return new RpcError(rpcCodes.invalidRequest, message);
}
