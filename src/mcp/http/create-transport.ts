import type { ConnectionParts } from "../connection.js";
import { AccessToken, withAccessToken } from "../oauth/access-token.js";
import { configuredHeaders, type HttpServerConfig } from "../server-config.js";
import { nodeFetch } from "./fetch.js";
import { HttpTransport } from "./transport.js";

/** Makes the way to a server over HTTP: with the configured headers, else with the user's login. */
export function createHttpTransport(
  server: string,
  config: HttpServerConfig,
  { env, tokens, fetch = nodeFetch }: ConnectionParts,
): HttpTransport {
  if (!URL.canParse(config.url)) throw new Error(`its \`url\` is not a URL: ${config.url}`);
  const url = new URL(config.url);
  if (url.protocol !== "http:" && url.protocol !== "https:") {
    throw new Error(`its \`url\` is not one of http or https: ${url.protocol}//`);
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
