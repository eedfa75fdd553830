import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import type { Issuer } from "./issuer.js";
import { readClaims } from "./login.js";
import type { IssuedTokens } from "./token-endpoint.js";

/** What the user's consent is asked with. */
interface AuthorizeRequest {
  issuer: Pick<Issuer, "url" | "clientId">;
  redirectUri: string;
  challenge: string;
  state: string;
  originator: string;
}

/** The page of the issuer on which the user consents. */
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

/** Where the issuer sends the browser afterwards; it knows no other addresses than this form. */
export function callbackUrl(port: number): string {
  return `http://localhost:${port}/auth/callback`;
}

/** A secret and its hash: whoever shows the secret is the one who sent the hash (RFC 7636). */
interface Pkce {
  verifier: string;
  challenge: string;
}

/** A new secret of 64 random bytes. */
export function createPkce(): Pkce {
  const verifier = randomBytes(64).toString("base64url");
  return { verifier, challenge: createHash("sha256").update(verifier).digest("base64url") };
}

/** A word that ties the browser's answer to the question it was sent with. */
export function createState(): string {
  return randomBytes(32).toString("base64url");
}

/** No token is in it: browsers keep addresses. */
export function successUrl(port: number, tokens: IssuedTokens): string {
  const { needsSetup } = readClaims(tokens.idToken);
  const { planType = "" } = readClaims(tokens.accessToken);
  const query = `needs_setup=${needsSetup}&plan_type=${encodeURIComponent(planType)}`;
  return `http://localhost:${port}/success?${query}`;
}

/** How long it takes tells nothing of how much is right. */
export function isSame(left: string, right: string): boolean {
  const [a, b] = [Buffer.from(left), Buffer.from(right)];
  return a.length === b.length && timingSafeEqual(a, b);
}
