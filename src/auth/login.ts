import { isRecord, type JsonRecord, parseRecord } from "../protocol/read/check.js";
import type { AuthFile, StoredTokens } from "./auth-file.js";

/** The active login of a file. */
export type Login = ApiKeyLogin | ChatgptLogin;

/** Login with an API key. */
interface ApiKeyLogin {
  kind: "api_key";
  token: string;
}

/** Login with a ChatGPT plan. */
export interface ChatgptLogin {
  kind: "chatgpt";
  /** Access token. */
  token: string;
  tokens: StoredTokens;
  /** Milliseconds since 1970; undefined if not recorded. */
  lastRefresh: number | undefined;
}

/**
 * Returns the active login of a file.
 *
 * A key takes precedence over tokens, because it was added deliberately, unless `auth_mode` is
 * `chatgpt`: signing in with ChatGPT may also create a key.
 */
export function loginOf(file: AuthFile | undefined): Login | undefined {
  const key = file?.OPENAI_API_KEY?.trim();
  const chatgpt = chatgptLogin(file);
  if (chatgpt !== undefined && (!key || file?.auth_mode === "chatgpt")) return chatgpt;
  return key ? { kind: "api_key", token: key } : undefined;
}

function chatgptLogin(file: AuthFile | undefined): ChatgptLogin | undefined {
  const tokens = file?.tokens;
  const token = textOf(tokens?.access_token);
  if (!tokens || token === undefined) return undefined;
  const time = Date.parse(file?.last_refresh ?? "");
  return { kind: "chatgpt", token, tokens, lastRefresh: Number.isNaN(time) ? undefined : time };
}

/** The signed-in account, without secrets. */
export type AuthStatus =
  | {
      method: "apikey";
      /** Shortened key. */
      shownKey: string;
    }
  | {
      method: "chatgpt";
      email?: string;
      planType?: string;
      accountId?: string;
    };

/** Returns the signed-in account; undefined if signed out. */
export function authStatus(file: AuthFile | undefined): AuthStatus | undefined {
  const login = loginOf(file);
  if (login === undefined) return undefined;
  if (login.kind === "api_key") return { method: "apikey", shownKey: shortenKey(login.token) };
  const { email, planType } = readClaims(login.tokens.id_token);
  const accountId = login.tokens.account_id;
  return {
    method: "chatgpt",
    ...(email === undefined ? undefined : { email }),
    ...(planType === undefined ? undefined : { planType }),
    ...(accountId ? { accountId } : undefined),
  };
}

/** Returns both ends of a key, as in `sk-proj-***ABCDE`; short keys are hidden entirely. */
function shortenKey(key: string): string {
  return key.length <= 13 ? "***" : `${key.slice(0, 8)}***${key.slice(-5)}`;
}

/** Claims of an ID token. */
interface IdClaims {
  email?: string;
  /** Such as `plus` or `pro`; not a closed list. */
  planType?: string;
  /** ChatGPT account or workspace. */
  accountId?: string;
  /** True if the user owns a platform organization and has not finished its setup. */
  needsSetup: boolean;
}

/**
 * Reads the claims of a token without verifying its signature.
 *
 * They are displayed and sent along; nothing is decided by them. An invalid token has no claims.
 */
export function readClaims(token: string | undefined): IdClaims {
  const payload = readPayload(token);
  const auth = objectOf(payload["https://api.openai.com/auth"]);
  const profile = objectOf(payload["https://api.openai.com/profile"]);
  const email = textOf(payload.email) ?? textOf(profile.email);
  const planType = textOf(auth.chatgpt_plan_type);
  const accountId = textOf(auth.chatgpt_account_id);
  return {
    ...(email === undefined ? undefined : { email }),
    ...(planType === undefined ? undefined : { planType }),
    ...(accountId === undefined ? undefined : { accountId }),
    needsSetup: auth.is_org_owner === true && auth.completed_platform_onboarding !== true,
  };
}

function readPayload(token: string | undefined): JsonRecord {
  const [header, payload, signature] = token?.split(".") ?? [];
  if (!header || !payload || !signature) return {};
  return parseRecord(Buffer.from(payload, "base64url").toString("utf8")) ?? {};
}

function objectOf(value: unknown): JsonRecord {
  return isRecord(value) ? value : {};
}

/** Returns a non-empty string, or else undefined. */
export function textOf(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}
