import { readClaims } from "./jwt-claims.js";
import type { RequestAuth } from "./token-source.js";

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
