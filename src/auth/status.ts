import type { AuthFile } from "./auth-file.js";
import { readClaims } from "./jwt-claims.js";
import { loginOf } from "./login.js";

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
