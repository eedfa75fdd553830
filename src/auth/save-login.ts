import type { Clock } from "../lib/clock.js";
import { errorText } from "../lib/errors.js";
import { CodexError } from "../protocol/error.js";
import type { AuthFile } from "./auth-file.js";
import { type AuthStatus, authStatus, readClaims } from "./login.js";
import { type AuthStore, withAuthLock } from "./store.js";
import type { IssuedTokens, TokenEndpoint } from "./token-endpoint.js";

/** Dependencies of a ChatGPT login. */
export interface LoginParts extends TokenEndpoint {
  home: string;
  store: AuthStore;
  clock: Clock;
}

/** Outcome of a login. */
export type LoginResult = { ok: true; status: AuthStatus | undefined } | LoginFailure;

/** A login that did not complete. */
interface LoginFailure {
  ok: false;
  reason: "cancelled" | "timed_out" | "failed";
  /** For the user; never contains secrets. */
  error: string;
}

/** Stores a new ChatGPT login, replacing any other. */
export async function saveLogin(
  { home, store, clock }: LoginParts,
  tokens: IssuedTokens,
  apiKey?: string,
): Promise<AuthStatus | undefined> {
  const file: AuthFile = {
    // Without it the key would take precedence, although the user signed in with ChatGPT.
    ...(apiKey === undefined ? undefined : { auth_mode: "chatgpt" }),
    OPENAI_API_KEY: apiKey ?? null,
    tokens: {
      id_token: tokens.idToken,
      access_token: tokens.accessToken,
      refresh_token: tokens.refreshToken,
      account_id: readClaims(tokens.idToken).accountId ?? null,
    },
    last_refresh: new Date(clock.now()).toISOString(),
  };
  await withAuthLock(home, () => store.write(file));
  return authStatus(file);
}

/** Returns the outcome of a login that threw an error. */
export function failedLogin(error: unknown): LoginFailure {
  const text = errorText(error);
  return { ok: false, reason: "failed", error: text };
}

/** Outcome of a cancelled login. */
export const cancelledLogin: LoginFailure = {
  ok: false,
  reason: "cancelled",
  error: "Login was not completed",
};

/** Stores an API key, replacing any other login. */
export async function loginWithApiKey(
  { home, store }: { home: string; store: AuthStore },
  apiKey: string,
): Promise<void> {
  const key = apiKey.trim();
  if (key === "") throw new CodexError("invalid_request", "The API key is empty");
  // The key becomes a header; other characters are copy-and-paste mistakes.
  if (!/^[\x21-\x7e]+$/.test(key)) {
    throw new CodexError(
      "invalid_request",
      "The API key contains spaces or invalid characters; copy it again",
    );
  }
  await withAuthLock(home, () => store.write({ OPENAI_API_KEY: key }));
}

/** Deletes the login, even an unreadable one; resolves with false if there was none. */
export async function logout({
  home,
  store,
}: {
  home: string;
  store: AuthStore;
}): Promise<boolean> {
  return withAuthLock(home, () => store.remove());
}
