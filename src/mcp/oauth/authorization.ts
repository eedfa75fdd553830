import type {
  AuthorizationServerMetadata,
  OAuthClientMetadata,
  OAuthProtectedResourceMetadata,
} from "@modelcontextprotocol/sdk/shared/auth.js";
import type { FetchLike } from "../http/fetch.js";
import { type StoredLogin, toLogin } from "./token-store.js";

/** Parameters of an authorization. */
export interface AuthorizationRequest {
  server: string;
  url: URL;
  redirectUrl: string;
  /** Returned with the code, to recognize our own request. */
  state: string;
  scopes: readonly string[];
  fetch: FetchLike;
}

/** URL for the user's consent, and the exchange of the resulting code. */
export interface Authorization {
  authorizationUrl: string;
  redeem(code: string): Promise<StoredLogin>;
}

/**
 * Discovers the authorization server of an MCP server, registers a client and prepares the consent
 * URL.
 *
 * Uses PKCE, so an intercepted code is useless.
 */
export async function startAuthorization(request: AuthorizationRequest): Promise<Authorization> {
  const { server, url, redirectUrl, state, fetch } = request;
  const sdk = await import("@modelcontextprotocol/sdk/client/auth.js");
  const wanted = await probeRequirements(url, fetch);
  const found = await sdk.discoverOAuthServerInfo(url, { ...wanted.at, fetchFn: fetch });
  const { authorizationServerUrl: issuer, authorizationServerMetadata: metadata } = found;
  requireEncryption(url, issuer, metadata);
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

/** Sends a request to learn the required scope and metadata URL from the 401 response. */
async function probeRequirements(url: URL, fetch: FetchLike) {
  const { extractWWWAuthenticateParams } = await import("@modelcontextprotocol/sdk/client/auth.js");
  const response = await fetch(url, { headers: { accept: "text/event-stream" } });
  await response.body?.cancel();
  if (response.status !== 401) return { at: {} };
  const { resourceMetadataUrl, scope } = extractWWWAuthenticateParams(response);
  return { at: resourceMetadataUrl === undefined ? {} : { resourceMetadataUrl }, scope };
}

/** Rejects URLs that would send codes or tokens unencrypted, except to this machine. */
function requireEncryption(
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
      throw new Error(`${origin} must use https`);
    }
  }
}

/** Returns the resource that tokens are issued for, as published by the server. */
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
    throw new Error(`its tokens are for ${configuredResource}, which is a different server`);
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
