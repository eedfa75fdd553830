import { CodexError } from "../protocol/error.js";

/** Login server, and our client id. */
export interface Issuer {
  /** Without a trailing slash. */
  url: string;
  clientId: string;
  /** Token refresh endpoint. */
  refreshUrl: string;
  /** Port of the redirect URI; OpenAI's issuer accepts only 1455. */
  callbackPort: number;
}

const defaultUrl = "https://auth.openai.com";
const defaultClientId = "app_EMoamEEZ73f0CkXaXp7hrann";
const defaultCallbackPort = 1455;

/** Returns the issuer: from the options, the environment, or else OpenAI's. */
export function issuerOf(
  env: Environment,
  options: { url?: string | undefined; clientId?: string | undefined } = {},
): Issuer {
  const given = options.url ?? variable(env, "CODEX_APP_SERVER_LOGIN_ISSUER");
  const url = given === undefined ? defaultUrl : checkedUrl(given, "The login server");
  const refreshUrl = variable(env, "CODEX_REFRESH_TOKEN_URL_OVERRIDE");
  return {
    url,
    clientId:
      options.clientId ?? variable(env, "CODEX_APP_SERVER_LOGIN_CLIENT_ID") ?? defaultClientId,
    refreshUrl:
      refreshUrl === undefined
        ? `${url}/oauth/token`
        : checkedUrl(refreshUrl, "CODEX_REFRESH_TOKEN_URL_OVERRIDE"),
    callbackPort: checkedPort(variable(env, "QUIRE_LOGIN_PORT")),
  };
}

/** A custom issuer may redirect to any port; 0 picks a free one. */
function checkedPort(text: string | undefined): number {
  if (text === undefined) return defaultCallbackPort;
  if (/^\d{1,5}$/.test(text) && Number(text) < 65_536) return Number(text);
  throw new CodexError("config", `QUIRE_LOGIN_PORT must be a port from 0 to 65535: ${text}`);
}

/** Tokens are sent there, so the URL must be encrypted or local. */
function checkedUrl(text: string, what: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const safe =
    url?.protocol === "https:" || (url?.protocol === "http:" && isLoopback(url.hostname));
  if (!safe) {
    throw new CodexError(
      "config",
      `${what} must be an https URL, or an http URL of this machine: ${text}`,
    );
  }
  return text.replace(/\/+$/, "");
}

function isLoopback(host: string): boolean {
  return host === "localhost" || host === "[::1]" || /^127\.\d+\.\d+\.\d+$/.test(host);
}

/** Environment variables by name. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Returns the trimmed value of a variable; undefined if it is unset or blank. */
export function variable(env: Environment, name: string): string | undefined {
  return env[name]?.trim() || undefined;
}
