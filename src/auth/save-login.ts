import type { Clock } from "../lib/clock.js";
import { errorText } from "../lib/error-text.js";
import type { AuthFile } from "./auth-file.js";
import { withAuthLock } from "./auth-lock.js";
import { readClaims } from "./jwt-claims.js";
import { type AuthStatus, authStatus } from "./status.js";
import type { AuthStore } from "./store.js";
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
export interface LoginFailure {
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
