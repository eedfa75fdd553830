import { authStatus } from "../../auth/index.js";
import { CodexError } from "../../protocol/error.js";
import type {
  AuthStatusChangeNotification,
  GetAuthStatusParams,
  GetAuthStatusResponse,
  LoginChatGptCompleteNotification,
  LoginChatGptResponse,
} from "../../protocol/rpc/v1/account.js";
import type { Server } from "../server.js";
import type { V1Handlers } from "./handlers.js";

/** Handlers of the account methods. */
export const accountHandlers = {
  loginApiKey: async ({ apiKey }, { server }, request) => {
    await server.logins.useKey(apiKey);
    request.afterReply(() => notifyAuthChange(server, "apikey"));
    return {};
  },
  loginChatGpt: (_, { server }): Promise<LoginChatGptResponse> =>
    server.logins.begin((ended) => {
      const notification: LoginChatGptCompleteNotification = ended;
      server.broadcast("loginChatGptComplete", notification);
      if (ended.success) notifyAuthChange(server, "chatgpt");
    }),
  cancelLoginChatGpt: ({ loginId }, { server }) => {
    if (server.logins.cancel(loginId)) return {};
    throw new CodexError("not_found", `login id not found: ${loginId}`);
  },
  logoutChatGpt: async (_, { server }, request) => {
    await server.logins.end();
    request.afterReply(() => notifyAuthChange(server));
    return {};
  },
  getAuthStatus: (params, { server }) => readAuthStatus(params, server),
  userInfo: async (_, { server }) => {
    const { store } = await server.logins.store();
    const status = authStatus(await store.read());
    const email = status?.method === "chatgpt" ? status.email : undefined;
    return { allegedUserEmail: email ?? null };
  },
} satisfies Partial<V1Handlers>;

/** Notifies all clients of the login method. */
function notifyAuthChange(server: Server, authMethod?: string): void {
  const notification: AuthStatusChangeNotification = authMethod === undefined ? {} : { authMethod };
  server.broadcast("authStatusChange", notification);
}

async function readAuthStatus(
  { includeToken = false, refreshToken = false }: GetAuthStatusParams,
  { logins }: Server,
): Promise<GetAuthStatusResponse> {
  const { config } = await logins.store();
  const requiresOpenaiAuth = config.provider.requires_openai_auth;
  if (!requiresOpenaiAuth) return { requiresOpenaiAuth };
  const source = await logins.tokens();
  if (refreshToken) await source.refresh();
  const auth = await source.current();
  if (auth === undefined) return { requiresOpenaiAuth };
  return {
    authMethod: auth.kind === "chatgpt" ? "chatgpt" : "apikey",
    ...(includeToken ? { authToken: auth.token } : {}),
    requiresOpenaiAuth,
  };
}
