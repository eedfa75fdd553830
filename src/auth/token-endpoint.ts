import { CodexError } from "../protocol/error.js";
import { isRecord, type JsonRecord, parseRecord } from "../protocol/read/check.js";
import type { HttpAnswer, HttpClient } from "./http.js";
import type { Issuer } from "./issuer.js";
import { textOf } from "./login.js";

/** Issuer and HTTP client for token requests. */
export interface TokenEndpoint {
  issuer: Issuer;
  http: HttpClient;
}

/** Tokens of a new login. */
export interface IssuedTokens {
  idToken: string;
  accessToken: string;
  refreshToken: string;
}

/** Authorization code and the values it is redeemed with. */
export interface CodeGrant {
  code: string;
  redirectUri: string;
  /** PKCE secret of the authorization request. */
  verifier: string;
}

const timeLimitMs = 60_000;

/** Exchanges an authorization code for tokens. */
export async function exchangeCode(
  { issuer, http }: TokenEndpoint,
  { code, redirectUri, verifier }: CodeGrant,
  signal: AbortSignal,
): Promise<IssuedTokens> {
  const answer = await postForm(http, `${issuer.url}/oauth/token`, signal, {
    grant_type: "authorization_code",
    code,
    redirect_uri: redirectUri,
    client_id: issuer.clientId,
    code_verifier: verifier,
  });
  if (!isOk(answer)) throw new CodexError("auth", refusalText(answer));
  const tokens = parseRecord(answer.body) ?? {};
  const idToken = textOf(tokens.id_token);
  const accessToken = textOf(tokens.access_token);
  const refreshToken = textOf(tokens.refresh_token);
  if (idToken === undefined || accessToken === undefined || refreshToken === undefined) {
    throw new CodexError("auth", "token endpoint did not return all three tokens");
  }
  return { idToken, accessToken, refreshToken };
}

/** Requests an API key in addition to the tokens; many accounts get none. */
export async function exchangeForApiKey(
  { issuer, http }: TokenEndpoint,
  idToken: string,
  signal: AbortSignal,
): Promise<string | undefined> {
  try {
    const answer = await postForm(http, `${issuer.url}/oauth/token`, signal, {
      grant_type: "urn:ietf:params:oauth:grant-type:token-exchange",
      client_id: issuer.clientId,
      requested_token: "openai-api-key",
      subject_token: idToken,
      subject_token_type: "urn:ietf:params:oauth:token-type:id_token",
    });
    return isOk(answer) ? textOf(parseRecord(answer.body)?.access_token) : undefined;
  } catch {
    signal.throwIfAborted();
    return undefined;
  }
}

/** Refreshes tokens; `readRenewal` parses the response. */
export function postRefresh(
  { issuer, http }: TokenEndpoint,
  refreshToken: string,
): Promise<HttpAnswer> {
  return postJson(http, issuer.refreshUrl, AbortSignal.timeout(timeLimitMs), {
    client_id: issuer.clientId,
    grant_type: "refresh_token",
    refresh_token: refreshToken,
    scope: "openid profile email",
  });
}

/** Sends a POST request with a JSON body. */
export function postJson(
  http: HttpClient,
  url: string,
  signal: AbortSignal,
  fields: JsonRecord,
): Promise<HttpAnswer> {
  const headers = { "content-type": "application/json", accept: "application/json" };
  return http({ url, headers, body: JSON.stringify(fields) }, signal);
}

/** Returns true for a status of 2xx. */
export function isOk({ status }: HttpAnswer): boolean {
  return status >= 200 && status < 300;
}

/** Returns the issuer's error code, if any; never more of the response. */
export function errorCodeOf({ body }: HttpAnswer): string | undefined {
  const answer = parseRecord(body) ?? {};
  const { error } = answer;
  const code = textOf(isRecord(error) ? error.code : error) ?? textOf(answer.code);
  return code !== undefined && /^[\w.-]{1,64}$/.test(code) ? code.toLowerCase() : undefined;
}

/** Describes a rejected token request. */
export function refusalText(answer: HttpAnswer): string {
  const code = errorCodeOf(answer);
  const suffix = code === undefined ? "" : ` (${code})`;
  return `token endpoint returned status ${answer.status}${suffix}`;
}

function postForm(
  http: HttpClient,
  url: string,
  signal: AbortSignal,
  fields: Record<string, string>,
): Promise<HttpAnswer> {
  const body = Object.entries(fields)
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join("&");
  const headers = {
    "content-type": "application/x-www-form-urlencoded",
    accept: "application/json",
  };
  return http({ url, headers, body }, AbortSignal.any([signal, AbortSignal.timeout(timeLimitMs)]));
}
