import type { Issuer } from "./issuer.js";

/** What the user's consent is asked with. */
export interface AuthorizeRequest {
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
