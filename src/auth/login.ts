import { isRecord, type JsonRecord, parseRecord } from "../protocol/read/record.js";
import type { AuthFile, StoredTokens } from "./auth-file.js";

/** The login that counts of those a file may hold. */
export type Login = ApiKeyLogin | ChatgptLogin;

/** The user pays by use, with a key. */
interface ApiKeyLogin {
  kind: "api_key";
  token: string;
}

/** The user has a ChatGPT plan. */
export interface ChatgptLogin {
  kind: "chatgpt";
  /** The access token. */
  token: string;
  tokens: StoredTokens;
  /** Milliseconds since 1970; nothing when the file does not tell. */
  lastRefresh: number | undefined;
}

/**
 * Which login a file stands for.
 *
 * A key wins over tokens, for whoever has both has added the key on purpose, unless the file says
 * that ChatGPT is meant: signing in there may bring a key as well.
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

/** Who is signed in and how, without anything secret. */
export type AuthStatus =
  | {
      method: "apikey";
      /** Enough of the key to tell it from others. */
      shownKey: string;
    }
  | {
      method: "chatgpt";
      email?: string;
      planType?: string;
      accountId?: string;
    };

/** What a stored login says; nothing when nobody is signed in. */
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

/** The ends of a key, as in `sk-proj-***ABCDE`; of a short one nothing is shown. */
function shortenKey(key: string): string {
  return key.length <= 13 ? "***" : `${key.slice(0, 8)}***${key.slice(-5)}`;
}

/** What an ID token says about the user. */
interface IdClaims {
  email?: string;
  /** Such as `plus` or `pro`; other plans may come. */
  planType?: string;
  /** The ChatGPT account or workspace. */
  accountId?: string;
  /** The user has a platform organization of their own and has not finished setting it up. */
  needsSetup: boolean;
}

/**
 * Reads the claims of a token without checking its signature.
 *
 * They are shown and sent along, nothing is decided by them. A token that is none has no claims.
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

/** The value when it is text with something in it, else nothing. */
export function textOf(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}
