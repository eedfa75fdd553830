import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import type { Issuer } from "./issuer.js";
import { readClaims } from "./login.js";
import type { IssuedTokens } from "./token-endpoint.js";

/** Parameters of the authorization URL. */
interface AuthorizeRequest {
  issuer: Pick<Issuer, "url" | "clientId">;
  redirectUri: string;
  challenge: string;
  state: string;
  originator: string;
}

/** Returns the consent page of the issuer. */
export function authorizeUrl(request: AuthorizeRequest): string {
  const { issuer } = request;
  const query = {
    response_type: "code",
    client_id: issuer.clientId,
    redirect_uri: request.redirectUri,
    scope: "openid profile email offline_access",
    code_challenge: request.challenge,
    code_challenge_method: "S256",
    id_token_add_organizations: "true",
    codex_cli_simplified_flow: "true",
    state: request.state,
    originator: request.originator,
  };
  const pairs = Object.entries(query).map(([key, value]) => `${key}=${encodeURIComponent(value)}`);
  return `${issuer.url}/oauth/authorize?${pairs.join("&")}`;
}

/** Returns the redirect URI; the issuer accepts no other format. */
export function callbackUrl(port: number): string {
  return `http://localhost:${port}/auth/callback`;
}

/** PKCE secret and its hash (RFC 7636): proves that the same client sent both. */
interface Pkce {
  verifier: string;
  challenge: string;
}

/** Creates a secret of 64 random bytes. */
export function createPkce(): Pkce {
  const verifier = randomBytes(64).toString("base64url");
  return { verifier, challenge: createHash("sha256").update(verifier).digest("base64url") };
}

/** Creates the `state` that links a callback to its request. */
export function createState(): string {
  return randomBytes(32).toString("base64url");
}

/** Returns the URL of the last page, without tokens: browsers store URLs. */
export function successUrl(port: number, tokens: IssuedTokens): string {
  const { needsSetup } = readClaims(tokens.idToken);
  const { planType = "" } = readClaims(tokens.accessToken);
  const query = `needs_setup=${needsSetup}&plan_type=${encodeURIComponent(planType)}`;
  return `http://localhost:${port}/success?${query}`;
}

/** Compares in constant time. */
export function isSame(left: string, right: string): boolean {
  const [a, b] = [Buffer.from(left), Buffer.from(right)];
  return a.length === b.length && timingSafeEqual(a, b);
}
