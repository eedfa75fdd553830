import type { AuthFile, StoredTokens } from "./auth-file.js";
import { textOf } from "./text-of.js";

/** The login that counts of those a file may hold. */
export type Login = ApiKeyLogin | ChatgptLogin;

/** The user pays by use, with a key. */
export interface ApiKeyLogin {
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
