import { CodexError } from "../protocol/error.js";

/** The server that signs users in, and who we are to it. */
export interface Issuer {
  /** Without a slash at its end. */
  url: string;
  clientId: string;
  /** Where tokens are renewed. */
  refreshUrl: string;
  /** Where on this machine it sends browsers back to; OpenAI's knows no other than 1455. */
  callbackPort: number;
}

const defaultUrl = "https://auth.openai.com";
const defaultClientId = "app_EMoamEEZ73f0CkXaXp7hrann";
const defaultCallbackPort = 1455;

/** The issuer by what the caller says, else by the environment, else OpenAI's. */
export function issuerOf(
  env: Environment,
  said: { url?: string | undefined; clientId?: string | undefined } = {},
): Issuer {
  const given = said.url ?? variable(env, "CODEX_APP_SERVER_LOGIN_ISSUER");
  const url = given === undefined ? defaultUrl : checkedUrl(given, "The login server");
  const refreshUrl = variable(env, "CODEX_REFRESH_TOKEN_URL_OVERRIDE");
  return {
    url,
    clientId: said.clientId ?? variable(env, "CODEX_APP_SERVER_LOGIN_CLIENT_ID") ?? defaultClientId,
    refreshUrl:
      refreshUrl === undefined
        ? `${url}/oauth/token`
        : checkedUrl(refreshUrl, "CODEX_REFRESH_TOKEN_URL_OVERRIDE"),
    callbackPort: checkedPort(variable(env, "QUIRE_LOGIN_PORT")),
  };
}

/** An issuer of one's own may send browsers to any port; 0 takes one that is free. */
function checkedPort(text: string | undefined): number {
  if (text === undefined) return defaultCallbackPort;
  if (/^\d{1,5}$/.test(text) && Number(text) < 65_536) return Number(text);
  throw new CodexError("config", `QUIRE_LOGIN_PORT must be a port from 0 to 65535: ${text}`);
}

/** Tokens travel there, so nobody on the way may read along; on this machine nobody can. */
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

/** Variables of the environment by name. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** A variable's value without blanks around it; nothing when it is unset or blank. */
export function variable(env: Environment, name: string): string | undefined {
  return env[name]?.trim() || undefined;
}
