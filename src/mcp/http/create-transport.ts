import type { ConnectionParts } from "../connection.js";
import { AccessToken, withAccessToken } from "../oauth/access-token.js";
import { configuredHeaders, type HttpServerConfig } from "../server-config.js";
import { nodeFetch } from "./fetch.js";
import { HttpTransport } from "./transport.js";

/**
 * Creates the transport of an HTTP server, with the configured headers or else the stored login.
 */
export function createHttpTransport(
  server: string,
  config: HttpServerConfig,
  { env, tokens, fetch = nodeFetch }: ConnectionParts,
): HttpTransport {
  if (!URL.canParse(config.url)) throw new Error(`invalid \`url\`: ${config.url}`);
  const url = new URL(config.url);
  if (url.protocol !== "http:" && url.protocol !== "https:") {
    throw new Error(`\`url\` must use http or https (got ${url.protocol}//)`);
  }
  const headers = configuredHeaders(config, env);
  if (headers.has("authorization") || tokens === undefined) {
    return new HttpTransport(url, headers, fetch);
  }
  const token = new AccessToken({
    key: { server, url: url.href },
    store: tokens,
    fetch,
    now: () => Date.now(),
  });
  return new HttpTransport(url, headers, withAccessToken(fetch, token));
}
