import { programName } from "../lib/program-name.js";
import { parseRecord } from "../protocol/read/check.js";
import type { AuthFile, StoredTokens } from "./auth-file.js";
import type { HttpAnswer } from "./http.js";
import { textOf } from "./login.js";
import { errorCodeOf, isOk, refusalText } from "./token-endpoint.js";

/** Failed token refresh. */
export interface RenewalFailure {
  reason: "expired" | "reused" | "revoked" | "refused" | "signed_out" | "unavailable";
  /** For the user, with the remedy. */
  message: string;
  /** True if the user must sign in again. */
  final: boolean;
}

/** Changed tokens, or the failure. */
export type Renewal = { tokens: Partial<StoredTokens> } | { failure: RenewalFailure };

/** Parses the issuer's response to a refresh. */
export function readRenewal(answer: HttpAnswer): Renewal {
  if (!isOk(answer)) return { failure: refusal(answer) };
  const { id_token, access_token, refresh_token } = parseRecord(answer.body) ?? {};
  const fields = Object.entries({ id_token, access_token, refresh_token });
  const tokens = Object.fromEntries(fields.filter(([, value]) => textOf(value) !== undefined));
  if (Object.keys(tokens).length > 0) return { tokens };
  return { failure: unavailable("the login server returned no tokens") };
}

/** Returns the login with refreshed tokens. */
export function renewedFile(file: AuthFile, tokens: Partial<StoredTokens>, now: number): AuthFile {
  const old = file.tokens ?? { access_token: "" };
  return { ...file, tokens: { ...old, ...tokens }, last_refresh: new Date(now).toISOString() };
}

/** The issuer was unreachable or undecided; a retry may work. */
export function unavailable(reason: string): RenewalFailure {
  const message = `Your sign-in could not be renewed: ${reason}. Try again later.`;
  return { reason: "unavailable", message, final: false };
}

/** The login was deleted while in use. */
export function signedOut(): RenewalFailure {
  return finalFailure("signed_out", "You have been signed out");
}

/** The login has no refresh token. */
export function notRenewable(): RenewalFailure {
  return finalFailure("refused", "Your sign-in cannot be renewed");
}

function refusal(answer: HttpAnswer): RenewalFailure {
  const known = refusals[errorCodeOf(answer) ?? ""];
  if (known !== undefined) return finalFailure(...known);
  if (answer.status === 401) return finalFailure("refused", "Your sign-in could not be renewed");
  return unavailable(refusalText(answer));
}

const refusals: Partial<Record<string, [RenewalFailure["reason"], string]>> = {
  refresh_token_expired: ["expired", "Your sign-in has expired"],
  refresh_token_reused: ["reused", "Your sign-in was already renewed by another program"],
  refresh_token_invalidated: ["revoked", "Your sign-in was revoked"],
  invalid_grant: ["refused", "Your sign-in is no longer valid"],
};

function finalFailure(reason: RenewalFailure["reason"], what: string): RenewalFailure {
  return {
    reason,
    message: `${what}. Sign in again with \`${programName()} login\`.`,
    final: true,
  };
}
