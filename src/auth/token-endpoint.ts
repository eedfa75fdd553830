import { CodexError } from "../protocol/error.js";
import { isRecord, type JsonRecord, parseRecord } from "../protocol/read/record.js";
import type { HttpAnswer, HttpClient } from "./http.js";
import type { Issuer } from "./issuer.js";
import { textOf } from "./login.js";

/** How tokens are got: from whom, and over what. */
export interface TokenEndpoint {
  issuer: Issuer;
  http: HttpClient;
}

/** The tokens of a new login. */
export interface IssuedTokens {
  idToken: string;
  accessToken: string;
  refreshToken: string;
}

/** What a user's consent is exchanged with. */
export interface CodeGrant {
  code: string;
  redirectUri: string;
  /** The secret behind the challenge that the consent was asked with. */
  verifier: string;
}

const timeLimitMs = 60_000;

/** Exchanges the code that the issuer gave the user's browser for tokens. */
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
    throw new CodexError("auth", "token endpoint answered without all three tokens");
  }
  return { idToken, accessToken, refreshToken };
}

/** Asks for an API key beside the tokens; many accounts get none. */
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

/** Renews tokens; the answer is for `readRenewal`. */
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

/** Posts JSON. */
export function postJson(
  http: HttpClient,
  url: string,
  signal: AbortSignal,
  fields: JsonRecord,
): Promise<HttpAnswer> {
  const headers = { "content-type": "application/json", accept: "application/json" };
  return http({ url, headers, body: JSON.stringify(fields) }, signal);
}

/** Whether the issuer did what it was asked. */
export function isOk({ status }: HttpAnswer): boolean {
  return status >= 200 && status < 300;
}

/** The issuer's word for what is wrong, where it says one; never more of its answer than that. */
export function errorCodeOf({ body }: HttpAnswer): string | undefined {
  const answer = parseRecord(body) ?? {};
  const { error } = answer;
  const code = textOf(isRecord(error) ? error.code : error) ?? textOf(answer.code);
  return code !== undefined && /^[\w.-]{1,64}$/.test(code) ? code.toLowerCase() : undefined;
}

/** Tells of a request that the issuer did not grant. */
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
