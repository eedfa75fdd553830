import { CodexError } from "../protocol/error.js";
import { type Environment, variable } from "./issuer.js";
import { readClaims } from "./login.js";
import type { RequestAuth } from "./token-source.js";

/** Credentials for requests to the model. */
export interface AuthSource {
  /** Returns the credentials of the next request; undefined if there are none. */
  current(): Promise<RequestAuth | undefined>;
  /** Renews the credentials; returns true if there are new ones. */
  refresh(): Promise<boolean>;
}

/** Uses client-provided tokens if set, otherwise the stored login. */
export function layeredSource(given: GivenTokens, stored: AuthSource): AuthSource {
  return {
    current: async () => given.current ?? stored.current(),
    refresh: () => (given.current === undefined ? stored.refresh() : given.refresh()),
  };
}

/** Returns the API key for non-interactive runs, `CODEX_API_KEY`. */
export function codexApiKey(env: Environment): string | undefined {
  return variable(env, "CODEX_API_KEY");
}

/**
 * Signs every request with the given key.
 *
 * The key takes precedence over the stored login, client-provided tokens and `OPENAI_API_KEY`, none
 * of which is ever sent instead. Rejects if `forced_login_method` allows ChatGPT logins only.
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

/** Tokens that a client provides and refreshes. */
export interface ClientTokens {
  accessToken: string;
  accountId?: string | undefined;
  planType?: string | undefined;
}

/** Requests new tokens from the client; resolves with undefined if there are none. */
export type RenewTokens = (
  previousAccountId: string | undefined,
) => Promise<ClientTokens | undefined>;

/** Client-provided tokens, stored in memory only; they take precedence over any stored login. */
export class GivenTokens {
  #auth: RequestAuth | undefined;
  #email: string | undefined;
  #renew: RenewTokens = async () => undefined;
  #renewing: Promise<boolean> | undefined;

  /** Credentials for requests; undefined if no client has provided any. */
  get current(): RequestAuth | undefined {
    return this.#auth;
  }

  /** Account of the token, from its unverified claims. */
  get email(): string | undefined {
    return this.#email;
  }

  /** Replaces the tokens; `renew` is called when they are rejected. */
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

  /** Removes the tokens. */
  clear(): void {
    this.#auth = undefined;
    this.#email = undefined;
    this.#renew = async () => undefined;
  }

  /**
   * Requests new tokens from the client, once for all concurrently rejected requests; resolves with
   * true if it got any.
   */
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
