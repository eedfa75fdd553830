import type { OAuthTokens } from "@modelcontextprotocol/sdk/shared/auth.js";
import type { StoredLogin } from "./token-store.js";

/** What of a login does not come with its tokens. */
export type LoginBase = Omit<StoredLogin, "access_token" | "expires_at">;

/** The login with the tokens that an authorization server has just given. */
export function toLogin(base: LoginBase, tokens: OAuthTokens, now: number): StoredLogin {
  const { access_token, refresh_token = base.refresh_token, scope = base.scope } = tokens;
  const { expires_in: seconds } = tokens;
  return {
    ...withoutTokens(base),
    access_token,
    ...(refresh_token === undefined ? {} : { refresh_token }),
    ...(scope === undefined ? {} : { scope }),
    ...(seconds === undefined ? {} : { expires_at: now + seconds * 1000 }),
  };
}

/** A login that is renewed has old tokens, and an old end of theirs, in it. */
function withoutTokens(base: LoginBase & Partial<StoredLogin>): LoginBase {
  const { access_token: _token, expires_at: _end, ...rest } = base;
  return rest;
}
