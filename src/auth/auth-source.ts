import { CodexError } from "../protocol/error.js";
import { type Environment, variable } from "./issuer.js";
import { readClaims } from "./login.js";
import type { RequestAuth } from "./token-source.js";

/** Where the login of each request comes from. */
export interface AuthSource {
  current(): Promise<RequestAuth | undefined>;
  refresh(): Promise<boolean>;
}

/** What a client has given as long as there is any, else the login that is stored. */
export function layeredSource(given: GivenTokens, stored: AuthSource): AuthSource {
  return {
    current: async () => given.current ?? stored.current(),
    refresh: () => (given.current === undefined ? stored.refresh() : given.refresh()),
  };
}

/** The key of a run without a user: `CODEX_API_KEY`, if it is set. */
export function codexApiKey(env: Environment): string | undefined {
  return variable(env, "CODEX_API_KEY");
}

/**
 * Signs every request with the key that the caller gave.
 *
 * It takes precedence over the stored login, the tokens of a client and `OPENAI_API_KEY`, none of
 * which is ever sent in its place. Rejects if `forced_login_method` allows ChatGPT logins only.
 */
export function givenKey(key: string, forced: "api" | "chatgpt" | undefined): AuthSource {
  return {
    async current() {
      if (forced !== "chatgpt") return { kind: "api_key", token: key };
      throw new CodexError(
        "auth",
        'The settings allow ChatGPT logins only (forced_login_method = "chatgpt"), but an API key was given: ' +
          "unset CODEX_API_KEY or `apiKey`, or change forced_login_method",
      );
    },
    refresh: async () => false,
  };
}

/** Tokens that a client brings along, and renews itself. */
export interface ClientTokens {
  accessToken: string;
  accountId?: string | undefined;
  planType?: string | undefined;
}

/** Gives newer tokens when the old ones were refused; nothing when there are none. */
export type RenewTokens = (
  previousAccountId: string | undefined,
) => Promise<ClientTokens | undefined>;

/** Signs requests with what a client has given, in memory only; it comes before any stored login. */
export class GivenTokens {
  #auth: RequestAuth | undefined;
  #email: string | undefined;
  #renew: RenewTokens = async () => undefined;
  #renewing: Promise<boolean> | undefined;

  /** What requests are signed with; nothing when no client has given anything. */
  get current(): RequestAuth | undefined {
    return this.#auth;
  }

  /** Whose account it is, as the token says, unchecked. */
  get email(): string | undefined {
    return this.#email;
  }

  /** Takes tokens in place of earlier ones; `renew` is asked when they are refused. */
  set(tokens: ClientTokens, renew: RenewTokens): void {
    const claims = readClaims(tokens.accessToken);
    const accountId = tokens.accountId ?? claims.accountId;
    const planType = tokens.planType ?? claims.planType;
    this.#auth = {
      kind: "chatgpt",
      token: tokens.accessToken,
      ...(accountId === undefined ? {} : { accountId }),
      ...(planType === undefined ? {} : { planType }),
    };
    this.#email = claims.email;
    this.#renew = renew;
  }

  /** Forgets them. */
  clear(): void {
    this.#auth = undefined;
    this.#email = undefined;
    this.#renew = async () => undefined;
  }

  /** Asks the client for newer ones, once for all whose requests were refused; true when it has some. */
  refresh(): Promise<boolean> {
    this.#renewing ??= this.#ask().finally(() => {
      this.#renewing = undefined;
    });
    return this.#renewing;
  }

  async #ask(): Promise<boolean> {
    const refused = this.#auth;
    const renew = this.#renew;
    const tokens = await renew(refused?.accountId);
    if (tokens === undefined || this.#auth !== refused) return this.#auth !== refused;
    this.set(tokens, renew);
    return this.#auth?.token !== refused?.token;
  }
}
