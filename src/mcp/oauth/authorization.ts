import type {
  AuthorizationServerMetadata,
  OAuthClientMetadata,
  OAuthProtectedResourceMetadata,
} from "@modelcontextprotocol/sdk/shared/auth.js";
import type { FetchLike } from "../http/fetch.js";
import { type StoredLogin, toLogin } from "./token-store.js";

/** What an authorization is asked for. */
export interface AuthorizationRequest {
  server: string;
  url: URL;
  redirectUrl: string;
  /** Comes back with the code, so that we know our own. */
  state: string;
  scopes: readonly string[];
  fetch: FetchLike;
}

/** A way for the user to agree, and what to do with the code that comes of it. */
export interface Authorization {
  authorizationUrl: string;
  redeem(code: string): Promise<StoredLogin>;
}

/**
 * Finds the authorization server of an MCP server, registers with it and prepares the user's visit.
 *
 * The code is bound to a secret of ours (PKCE), so that it is of no use to anyone who sees it.
 */
export async function startAuthorization(request: AuthorizationRequest): Promise<Authorization> {
  const { server, url, redirectUrl, state, fetch } = request;
  const sdk = await import("@modelcontextprotocol/sdk/client/auth.js");
  const wanted = await askWhatIsWanted(url, fetch);
  const found = await sdk.discoverOAuthServerInfo(url, { ...wanted.at, fetchFn: fetch });
  const { authorizationServerUrl: issuer, authorizationServerMetadata: metadata } = found;
  refuseOpenRoads(url, issuer, metadata);
  const resource = await resourceOf(url, found.resourceMetadata);
  const scope = scopeFor(request.scopes, wanted.scope, found.resourceMetadata);
  const known = metadata === undefined ? {} : { metadata };
  const client = await sdk.registerClient(issuer, {
    ...known,
    clientMetadata: clientMetadata(redirectUrl),
    ...scope,
    fetchFn: fetch,
  });
  const { authorizationUrl, codeVerifier } = await sdk.startAuthorization(issuer, {
    ...known,
    clientInformation: client,
    redirectUrl,
    state,
    ...scope,
    ...resource,
  });
  return {
    authorizationUrl: authorizationUrl.href,
    async redeem(code) {
      const tokens = await sdk.exchangeAuthorization(issuer, {
        ...known,
        clientInformation: client,
        authorizationCode: code,
        codeVerifier,
        redirectUri: redirectUrl,
        ...resource,
        fetchFn: fetch,
      });
      const { client_id, client_secret, token_endpoint_auth_method } = client;
      const base = {
        server,
        url: url.href,
        issuer,
        client_id,
        ...(client_secret === undefined ? {} : { client_secret }),
        ...(token_endpoint_auth_method === undefined ? {} : { token_endpoint_auth_method }),
        ...resource,
        ...scope,
      };
      return toLogin(base, tokens, Date.now());
    },
  };
}

/** A server that wants a login says with its refusal where that is and what to ask for. */
async function askWhatIsWanted(url: URL, fetch: FetchLike) {
  const { extractWWWAuthenticateParams } = await import("@modelcontextprotocol/sdk/client/auth.js");
  const response = await fetch(url, { headers: { accept: "text/event-stream" } });
  await response.body?.cancel();
  if (response.status !== 401) return { at: {} };
  const { resourceMetadataUrl, scope } = extractWWWAuthenticateParams(response);
  return { at: resourceMetadataUrl === undefined ? {} : { resourceMetadataUrl }, scope };
}

/** Codes and tokens are not sent in the clear, except on this machine. */
function refuseOpenRoads(
  server: URL,
  issuer: string,
  metadata: AuthorizationServerMetadata | undefined,
): void {
  const { authorization_endpoint, token_endpoint, registration_endpoint } = metadata ?? {};
  const addresses = [issuer, authorization_endpoint, token_endpoint, registration_endpoint];
  for (const address of [server.href, ...addresses]) {
    if (address === undefined) continue;
    const { protocol, hostname, origin } = new URL(address);
    const isLocal = /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);
    if (protocol !== "https:" && !(protocol === "http:" && isLocal)) {
      throw new Error(`${origin} is not reached over https`);
    }
  }
}

/** What the tokens are to be good for: this server, in the words of its own description. */
async function resourceOf(
  url: URL,
  metadata: OAuthProtectedResourceMetadata | undefined,
): Promise<{ resource?: string }> {
  if (metadata === undefined) return {};
  const { checkResourceAllowed, resourceUrlFromServerUrl } = await import(
    "@modelcontextprotocol/sdk/shared/auth-utils.js"
  );
  const requestedResource = resourceUrlFromServerUrl(url);
  const configuredResource = metadata.resource;
  if (!checkResourceAllowed({ requestedResource, configuredResource })) {
    throw new Error(
      `it says that its tokens are for ${configuredResource}, which is another server`,
    );
  }
  return { resource: configuredResource };
}

function scopeFor(
  configured: readonly string[],
  wanted: string | undefined,
  metadata: OAuthProtectedResourceMetadata | undefined,
): { scope?: string } {
  const scope = configured.join(" ") || wanted || metadata?.scopes_supported?.join(" ");
  return scope ? { scope } : {};
}

function clientMetadata(redirectUrl: string): OAuthClientMetadata {
  return {
    client_name: "Codex",
    redirect_uris: [redirectUrl],
    grant_types: ["authorization_code", "refresh_token"],
    response_types: ["code"],
    token_endpoint_auth_method: "none",
  };
}
