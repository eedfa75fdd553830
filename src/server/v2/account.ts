import { authStatus } from "../../auth/index.js";
import { type MethodSink, RpcError, type RpcRequest, rpcCodes } from "../../jsonrpc/index.js";
import type {
  Account,
  AccountUpdatedNotification,
  GetAccountParams,
  GetAccountRateLimitsResponse,
  GetAccountResponse,
  LoginAccountParams,
  LoginAccountResponse,
} from "../../protocol/rpc/v2/account.js";
import {
  accountLoginCancel,
  accountLoginStart,
  accountLogout,
  accountRateLimitsRead,
  accountRead,
} from "../../protocol/rpc/v2/methods.generated.js";
import type { EndedLogin } from "../account/logins.js";
import { toPlanType } from "../account/plan-type.js";
import { readRateLimits } from "../account/rate-limits.js";
import type { Server } from "../server.js";
import type { V2Connection } from "./connection.js";
import { toEraFields } from "./era-fields.js";

/** The methods about who is signed in. */
export function addAccountMethods(methods: MethodSink<V2Connection>): void {
  methods
    .on(accountRead, readAccount)
    .on(accountLoginStart, (params, { server }, request) => login(params, server, request))
    .on(accountLoginCancel, ({ loginId }, { server }) => ({
      status: server.logins.cancel(loginId) ? "canceled" : "notFound",
    }))
    .on(accountLogout, async (_, { server }, request) => {
      await server.logins.end();
      request.afterReply(() => tellUpdated(server, null));
      return {};
    })
    .on(accountRateLimitsRead, (_, { server }, request) => readLimits(server, request.signal));
}

async function readAccount(
  { refreshToken = false }: GetAccountParams,
  connection: V2Connection,
): Promise<GetAccountResponse> {
  const { logins } = connection.server;
  const { config } = await logins.store();
  const requiresOpenaiAuth = config.provider.requires_openai_auth;
  const account = requiresOpenaiAuth ? await findAccount(connection, refreshToken) : null;
  const answer = { account, requiresOpenaiAuth, workspaceRouting: null };
  return connection.inEra("GetAccountResponse", answer);
}

async function findAccount(connection: V2Connection, renew: boolean): Promise<Account | null> {
  const { logins } = connection.server;
  const source = await logins.tokens();
  if (renew) await source.refresh();
  const auth = await source.current();
  if (auth === undefined) return null;
  if (auth.kind === "api_key") return { type: "apiKey" };
  const { store } = await logins.store();
  const status = authStatus(await store.read());
  const { email = null, planType } = status?.method === "chatgpt" ? status : {};
  return connection.inEra<Account>("Account", {
    type: "chatgpt",
    email,
    planType: toPlanType(planType ?? auth.planType),
    workspaceName: null,
  });
}

async function login(
  params: LoginAccountParams,
  server: Server,
  request: RpcRequest,
): Promise<LoginAccountResponse> {
  const onEnd = (ended: EndedLogin) => void tellEnded(server, ended);
  switch (params.type) {
    case "chatgpt":
      return { type: "chatgpt", ...(await server.logins.begin(onEnd)) };
    case "chatgptDeviceCode":
      return { type: "chatgptDeviceCode", ...(await server.logins.beginWithCode(onEnd)) };
    case "apiKey": {
      await server.logins.useKey(params.apiKey);
      request.afterReply(() => {
        tellCompleted(server, { loginId: null, success: true });
        tellUpdated(server, "apikey");
      });
      return { type: "apiKey" };
    }
  }
}

async function tellEnded(server: Server, ended: EndedLogin): Promise<void> {
  tellCompleted(server, ended);
  if (!ended.success) return;
  const { store } = await server.logins.store();
  const status = authStatus(await store.read());
  const plan = status?.method === "chatgpt" ? status.planType : undefined;
  tellUpdated(server, "chatgpt", toPlanType(plan));
}

function tellCompleted(
  server: Server,
  { loginId, success, error }: { loginId: string | null; success: boolean; error?: string },
): void {
  const told = { loginId, success, error: error ?? null, onboardingEntrypoint: null };
  const { lacks } = server.parts.era.v2;
  server.tellAll(
    "account/login/completed",
    toEraFields(told, lacks.AccountLoginCompletedNotification),
  );
}

function tellUpdated(
  server: Server,
  authMode: AccountUpdatedNotification["authMode"],
  planType: string | null = null,
): void {
  const { lacks } = server.parts.era.v2;
  const told = toEraFields({ authMode, planType }, lacks.AccountUpdatedNotification);
  server.tellAll("account/updated", told);
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
  const { lacks } = server.parts.era.v2;
  const shown = limits.map((limit) => toEraFields(limit, lacks.RateLimitSnapshot));
  const [first = limits[0]] = shown;
  const answer = {
    ordinaryUsageAllowed: allowed,
    rateLimits: first,
    rateLimitsByLimitId: Object.fromEntries(shown.map((limit) => [limit.limitId ?? "", limit])),
    rateLimitResetCredits: null,
    accountId: auth.accountId ?? null,
    rateLimitUpsell: null,
  };
  return toEraFields(answer, lacks.GetAccountRateLimitsResponse);
}

function refused(message: string): RpcError {
  return new RpcError(rpcCodes.invalidRequest, message);
}
