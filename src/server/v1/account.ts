import { authStatus, issuerOf, postDirectly, TokenSource } from "../../auth/index.js";
import type { MethodSink } from "../../jsonrpc/index.js";
import type { GetAuthStatusParams, GetAuthStatusResponse } from "../../protocol/rpc/v1/account.js";
import {
  cancelLoginChatGpt,
  getAuthStatus,
  loginApiKey,
  loginChatGpt,
  logoutChatGpt,
  userInfo,
} from "../../protocol/rpc/v1/methods.js";
import type { Server } from "../server.js";
import type { V1Connection } from "./connection.js";

/** The methods about who is signed in. */
export function addAccountMethods(methods: MethodSink<V1Connection>): void {
  methods
    .on(loginApiKey, async ({ apiKey }, { server: { logins } }, request) => {
      await logins.useKey(apiKey);
      request.afterReply(() => logins.tellChange("apikey"));
      return {};
    })
    .on(loginChatGpt, (_, { server }) => server.logins.begin())
    .on(cancelLoginChatGpt, ({ loginId }, { server }) => {
      server.logins.cancel(loginId);
      return {};
    })
    .on(logoutChatGpt, async (_, { server: { logins } }, request) => {
      await logins.end();
      request.afterReply(() => logins.tellChange(undefined));
      return {};
    })
    .on(getAuthStatus, (params, { server }) => readAuthStatus(params, server))
    .on(userInfo, async (_, { server }) => {
      const { store } = await server.logins.store();
      const status = authStatus(await store.read());
      const email = status?.method === "chatgpt" ? status.email : undefined;
      return { allegedUserEmail: email ?? null };
    });
}

async function readAuthStatus(
  { includeToken = false, refreshToken = false }: GetAuthStatusParams,
  { logins, parts }: Server,
): Promise<GetAuthStatusResponse> {
  const { home, store, config } = await logins.store();
  const requiresOpenaiAuth = config.provider.requires_openai_auth;
  if (!requiresOpenaiAuth) return { requiresOpenaiAuth };
  const { env, clock } = parts;
  const source = new TokenSource({
    home,
    store,
    issuer: issuerOf(env),
    http: postDirectly,
    clock,
    env,
    openaiApiKey: true,
  });
  if (refreshToken) await source.refresh();
  const auth = await source.current();
  if (auth === undefined) return { requiresOpenaiAuth };
  return {
    authMethod: auth.kind === "chatgpt" ? "chatgpt" : "apikey",
    ...(includeToken ? { authToken: auth.token } : {}),
    requiresOpenaiAuth,
  };
}
