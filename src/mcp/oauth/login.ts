import { randomBytes } from "node:crypto";
import { errorText } from "../../lib/errors.js";
import { CodexError } from "../../protocol/error.js";
import { unlessAborted } from "../call-clock.js";
import { boundedFetch, type FetchLike, nodeFetch } from "../http/fetch.js";
import {
  configuredHeaders,
  type HttpServerConfig,
  type McpServerConfig,
} from "../server-config.js";
import { type Authorization, startAuthorization } from "./authorization.js";
import type { TokenStore } from "./token-store.js";

/** Options for logging in to a server. */
export interface McpLoginOptions {
  /** Server name in the config. */
  server: string;
  config: Pick<McpServerConfig, "transport" | "scopes">;
  store: TokenStore;
  env: Readonly<NodeJS.ProcessEnv>;
  /** Port of the callback. Default: any free port. */
  callbackPort?: number;
  /** Time limit for the user. Default: five minutes. */
  timeoutMs?: number;
  signal?: AbortSignal;
  fetch?: FetchLike;
}

/** A login that is pending in the user's browser. */
export interface McpLogin {
  /** URL for the user to open. */
  authorizationUrl: string;
  /** Resolves when the login is stored; rejects if it is refused, aborted or times out. */
  finished: Promise<void>;
}

/** Starts a login: discovers the authorization server and listens for the callback. */
export async function startMcpLogin(options: McpLoginOptions): Promise<McpLogin> {
  const { url, config } = loginTarget(options);
  const state = randomBytes(32).toString("base64url");
  const { listenForCallback } = await import("./callback-server.js");
  const callback = await listenForCallback(options.callbackPort ?? 0, state);
  try {
    const authorization = await startAuthorization({
      server: options.server,
      url,
      redirectUrl: callback.redirectUrl,
      state,
      scopes: options.config.scopes ?? [],
      fetch: boundedFetch(withHeaders(options.fetch ?? nodeFetch, config, options.env)),
    });
    const finished = finish(authorization, callback.code, options).finally(callback.close);
    finished.catch(() => {});
    return { authorizationUrl: authorization.authorizationUrl, finished };
  } catch (error) {
    callback.close();
    throw toLoginError(options.server, error);
  }
}

/** Logs in to a server: shows the URL and waits until the login is stored. */
export async function loginMcpServer(
  options: McpLoginOptions & { showUrl(url: string): void | Promise<void> },
): Promise<void> {
  const { authorizationUrl, finished } = await startMcpLogin(options);
  await options.showUrl(authorizationUrl);
  await finished;
}

/** Deletes the login of a server; returns false if there was none. */
export async function logoutMcpServer(
  options: Pick<McpLoginOptions, "server" | "config" | "store">,
): Promise<boolean> {
  const { url } = loginTarget(options);
  return options.store.remove({ server: options.server, url: url.href });
}

async function finish(
  authorization: Authorization,
  code: Promise<string>,
  { server, store, timeoutMs = defaultTimeoutMs, signal }: McpLoginOptions,
): Promise<void> {
  const timeout = AbortSignal.timeout(timeoutMs);
  const aborted = signal === undefined ? timeout : AbortSignal.any([signal, timeout]);
  try {
    const login = await authorization.redeem(await unlessAborted(code, aborted));
    await store.exclusively(login, () => store.write(login));
  } catch (error) {
    const reason = timeout.aborted ? new Error(`timed out after ${timeoutMs / 1000} s`) : error;
    throw toLoginError(server, reason);
  }
}

const defaultTimeoutMs = 300_000;

function loginTarget({ server, config }: Pick<McpLoginOptions, "server" | "config">) {
  const { transport } = config;
  if (transport.type === "stdio") {
    throw new CodexError(
      "invalid_request",
      `The MCP server ${server} is a local program; only servers with a \`url\` support login`,
    );
  }
  if (!URL.canParse(transport.url)) {
    throw new CodexError("config", `The \`url\` of the MCP server ${server} is not a URL`);
  }
  return { url: new URL(transport.url), config: transport };
}

/** Sends the configured headers to the server only, not to its authorization server. */
function withHeaders(
  fetch: FetchLike,
  config: HttpServerConfig,
  env: Readonly<NodeJS.ProcessEnv>,
): FetchLike {
  const headers = configuredHeaders({ ...config, bearer_token_env_var: undefined }, env);
  const { origin } = new URL(config.url);
  return (url, init) => {
    if (new URL(url).origin !== origin) return fetch(url, init);
    const all = new Headers(headers);
    for (const [name, value] of new Headers(init?.headers)) all.set(name, value);
    return fetch(url, { ...init, headers: all });
  };
}

const longestReason = 500;

function toLoginError(server: string, error: unknown): CodexError {
  const reason = errorText(error).slice(0, longestReason);
  return new CodexError("auth", `Cannot log in to the MCP server ${server}: ${reason}`, {
    cause: error,
  });
}

/** Authentication of a server. */
export type McpAuthStatus = "unsupported" | "notLoggedIn" | "bearerToken" | "oAuth";

/** Returns how a server authenticates us, or could; `unsupported` if it does not respond. */
export async function mcpAuthStatus(options: {
  server: string;
  config: Pick<McpServerConfig, "transport">;
  store: TokenStore;
  fetch?: FetchLike;
}): Promise<McpAuthStatus> {
  const { server, store, fetch = nodeFetch } = options;
  const { transport } = options.config;
  if (transport.type === "stdio" || !URL.canParse(transport.url)) return "unsupported";
  if (transport.bearer_token_env_var !== undefined) return "bearerToken";
  const url = new URL(transport.url);
  if ((await store.read({ server, url: url.href })) !== undefined) return "oAuth";
  return (await offersLogin(url, fetch)) ? "notLoggedIn" : "unsupported";
}

async function offersLogin(url: URL, fetch: FetchLike): Promise<boolean> {
  const sdk = await import("@modelcontextprotocol/sdk/client/auth.js");
  const signal = AbortSignal.timeout(discoveryTimeoutMs);
  const fetchFn = boundedFetch((target, init) => fetch(target, { ...init, signal }));
  try {
    const found = await sdk.discoverOAuthServerInfo(url, { fetchFn });
    return found.authorizationServerMetadata !== undefined;
  } catch {
    return false;
  }
}

const discoveryTimeoutMs = 5_000;
