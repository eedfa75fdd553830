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

/** What a login to a server needs. */
export interface McpLoginOptions {
  /** The server, as the config names it. */
  server: string;
  config: Pick<McpServerConfig, "transport" | "scopes">;
  store: TokenStore;
  env: Readonly<NodeJS.ProcessEnv>;
  /** The port that the browser comes back to; any free one when absent. */
  callbackPort?: number;
  /** How long the user may take; five minutes when absent. */
  timeoutMs?: number;
  signal?: AbortSignal;
  fetch?: FetchLike;
}

/** A login that waits for the user to agree to it in a browser. */
export interface McpLogin {
  /** What the user is to open. */
  authorizationUrl: string;
  /** Resolves when the login is stored; rejects when it is refused, given up or takes too long. */
  finished: Promise<void>;
}

/** Starts a login: finds out where the user logs in, and listens for how it ends. */
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

/** Logs in to a server: shows the user where to go, and waits until the login is stored. */
export async function loginMcpServer(
  options: McpLoginOptions & { showUrl(url: string): void | Promise<void> },
): Promise<void> {
  const { authorizationUrl, finished } = await startMcpLogin(options);
  await options.showUrl(authorizationUrl);
  await finished;
}

/** Forgets the login to a server; false when there was none. */
export async function logoutMcpServer(
  options: Pick<McpLoginOptions, "server" | "config" | "store">,
): Promise<boolean> {
  const { url } = loginTarget(options);
  return options.store.remove({ server: options.server, url: url.href });
}

async function finish(
  authorization: Authorization,
  code: Promise<string>,
  { server, store, timeoutMs = usualTimeoutMs, signal }: McpLoginOptions,
): Promise<void> {
  const timeout = AbortSignal.timeout(timeoutMs);
  const givenUp = signal === undefined ? timeout : AbortSignal.any([signal, timeout]);
  try {
    const login = await authorization.redeem(await unlessAborted(code, givenUp));
    await store.exclusively(login, () => store.write(login));
  } catch (error) {
    const reason = timeout.aborted ? new Error("nobody logged in in time") : error;
    throw toLoginError(server, reason);
  }
}

const usualTimeoutMs = 300_000;

function loginTarget({ server, config }: Pick<McpLoginOptions, "server" | "config">) {
  const { transport } = config;
  if (transport.type === "stdio") {
    throw new CodexError(
      "invalid_request",
      `The MCP server ${server} is a program; only servers with a \`url\` have a login`,
    );
  }
  if (!URL.canParse(transport.url)) {
    throw new CodexError("config", `The \`url\` of the MCP server ${server} is not a URL`);
  }
  return { url: new URL(transport.url), config: transport };
}

/** The configured headers are for the server alone, not for whoever it sends the user to. */
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

/** How a server knows who we are. */
export type McpAuthStatus = "unsupported" | "notLoggedIn" | "bearerToken" | "oAuth";

/** Says how a server knows who we are, or could; a server that does not answer counts as `unsupported`. */
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
  const signal = AbortSignal.timeout(patienceMs);
  const fetchFn = boundedFetch((target, init) => fetch(target, { ...init, signal }));
  try {
    const found = await sdk.discoverOAuthServerInfo(url, { fetchFn });
    return found.authorizationServerMetadata !== undefined;
  } catch {
    return false;
  }
}

const patienceMs = 5_000;
