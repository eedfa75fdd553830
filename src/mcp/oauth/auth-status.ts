import { boundedFetch } from "../http/bounded-fetch.js";
import { type FetchLike, nodeFetch } from "../http/node-fetch.js";
import type { McpServerConfig } from "../server-config.js";
import type { TokenStore } from "./token-store.js";

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
