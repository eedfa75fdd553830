import type { Clock } from "../lib/clock.js";
import { errorText } from "../lib/errors.js";
import { CodexError } from "../protocol/error.js";
import type { AuthFile } from "./auth-file.js";
import { type AuthStatus, authStatus, readClaims } from "./login.js";
import { type AuthStore, withAuthLock } from "./store.js";
import type { IssuedTokens, TokenEndpoint } from "./token-endpoint.js";

/** Everything a ChatGPT login needs from its surroundings. */
export interface LoginParts extends TokenEndpoint {
  home: string;
  store: AuthStore;
  clock: Clock;
}

/** How a login ended. */
export type LoginResult = { ok: true; status: AuthStatus | undefined } | LoginFailure;

/** Why nobody is signed in. */
interface LoginFailure {
  ok: false;
  reason: "cancelled" | "timed_out" | "failed";
  /** For the user; never holds anything secret. */
  error: string;
}

/** Stores a new ChatGPT login in place of any other. */
export async function saveLogin(
  { home, store, clock }: LoginParts,
  tokens: IssuedTokens,
  apiKey?: string,
): Promise<AuthStatus | undefined> {
  const file: AuthFile = {
    // Of a file with both, the key would count, though the user has signed in to ChatGPT.
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

/** How a login ends by an error. */
export function failedLogin(error: unknown): LoginFailure {
  const text = errorText(error);
  return { ok: false, reason: "failed", error: text };
}

/** How a login ends that its starter gave up. */
export const cancelledLogin: LoginFailure = {
  ok: false,
  reason: "cancelled",
  error: "Login was not completed",
};

/** Signs in with a key; whatever login there was is gone afterwards. */
export async function loginWithApiKey(
  { home, store }: { home: string; store: AuthStore },
  apiKey: string,
): Promise<void> {
  const key = apiKey.trim();
  if (key === "") throw new CodexError("invalid_request", "The API key is empty");
  // It becomes a header: a line break or a letter that no header can hold is a mistake of pasting.
  if (!/^[\x21-\x7e]+$/.test(key)) {
    throw new CodexError(
      "invalid_request",
      "The API key has blanks or characters that no key has: copy it again",
    );
  }
  await withAuthLock(home, () => store.write({ OPENAI_API_KEY: key }));
}

/** Removes the login; false when nobody was signed in. A broken login is removed too. */
export async function logout({
  home,
  store,
}: {
  home: string;
  store: AuthStore;
}): Promise<boolean> {
  return withAuthLock(home, () => store.remove());
}
