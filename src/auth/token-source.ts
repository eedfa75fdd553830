import { type Clock, systemClock } from "../lib/clock.js";
import { errorText } from "../lib/errors.js";
import type { AuthFile } from "./auth-file.js";
import { type HttpClient, postDirectly } from "./http.js";
import { type Environment, type Issuer, issuerOf, variable } from "./issuer.js";
import { type ChatgptLogin, type Login, loginOf, readClaims } from "./login.js";
import {
  notRenewable,
  type RenewalFailure,
  readRenewal,
  renewedFile,
  signedOut,
  unavailable,
} from "./renewal.js";
import { type AuthStore, withAuthLock } from "./store.js";
import { postRefresh } from "./token-endpoint.js";

/** Credentials of a request to the model. */
export interface RequestAuth {
  /** The kind of login. */
  kind: "api_key" | "chatgpt";
  /** The key or the access token. */
  token: string;
  /** The ChatGPT account that pays. */
  accountId?: string;
  /** The plan of that account. */
  planType?: string;
}

/** Options for a token source. */
export interface TokenSourceOptions {
  home: string;
  store: AuthStore;
  issuer: Issuer;
  http: HttpClient;
  clock: Clock;
  env: Environment;
  /** Use `OPENAI_API_KEY` if signed out. */
  openaiApiKey?: boolean;
  /** Maximum age of tokens before they are refreshed. */
  maxAgeMs?: number;
}

const defaultMaxAgeMs = 28 * 24 * 60 * 60 * 1000;

/** After a failed refresh, old tokens are used for this long before the next attempt. */
const pauseMs = 60_000;

/**
 * Returns the current login for each request of a client.
 *
 * Reads the store every time, so that signing in or out elsewhere takes effect at once. Tokens are
 * refreshed under a lock shared by all processes, after reading the store again: of all sessions
 * whose token was rejected, one refreshes it and the others find the new one.
 */
export class TokenSource {
  #options: TokenSourceOptions;
  /** Credentials of the last request. */
  #given: RequestAuth | undefined;
  #failure: RenewalFailure | undefined;
  /** Refresh token that the issuer has rejected permanently, and its error. */
  #dead: { token: string; failure: RenewalFailure } | undefined;
  #pausedUntil = 0;
  /** Refreshed tokens that could not be stored; the old ones are no longer valid. */
  #unsaved: { replaces: string; file: AuthFile } | undefined;

  constructor(options: TokenSourceOptions) {
    this.#options = options;
  }

  /** Failure of the last refresh, if it failed. */
  get failure(): RenewalFailure | undefined {
    return this.#failure;
  }

  /**
   * Returns the credentials; undefined without a login or key. Throws if the stored login cannot be
   * read.
   */
  async current(): Promise<RequestAuth | undefined> {
    this.#given = await this.#find();
    return this.#given;
  }

  /** Refreshes the credentials of the last request; resolves with true if there are newer ones. */
  async refresh(): Promise<boolean> {
    const refused = this.#given ?? (await this.#find());
    if (refused?.kind === "chatgpt") return this.#renew((login) => login.token === refused.token);
    // A key cannot be refreshed, but the user may have replaced it.
    const now = refused && (await this.#find());
    return now !== undefined && now.token !== refused?.token;
  }

  async #find(): Promise<RequestAuth | undefined> {
    const { env, openaiApiKey } = this.#options;
    const login = await this.#freshLogin();
    if (login !== undefined) return toRequestAuth(login);
    const last = openaiApiKey ? variable(env, "OPENAI_API_KEY") : undefined;
    return last === undefined ? undefined : { kind: "api_key", token: last };
  }

  async #freshLogin(): Promise<Login | undefined> {
    const login = loginOf(await this.#read());
    if (login === undefined || !this.#isOld(login)) return login;
    if (this.#options.clock.now() < this.#pausedUntil) return login;
    if (await this.#renew((other) => this.#isOld(other))) return loginOf(await this.#read());
    this.#pausedUntil = this.#options.clock.now() + pauseMs;
    return login;
  }

  #isOld(login: Login): boolean {
    const { clock, maxAgeMs = defaultMaxAgeMs } = this.#options;
    if (login.kind !== "chatgpt" || login.lastRefresh === undefined) return false;
    return login.lastRefresh < clock.now() - maxAgeMs;
  }

  /** Refreshes the stored login if it still needs it. */
  async #renew(needsIt: (login: Login) => boolean): Promise<boolean> {
    this.#failure = undefined;
    try {
      this.#failure = await withAuthLock(this.#options.home, async () => {
        const file = await this.#read();
        const login = loginOf(file);
        if (file === undefined || login === undefined) return signedOut();
        if (!needsIt(login)) return undefined;
        return login.kind === "chatgpt" ? this.#ask(file, login) : notRenewable();
      });
    } catch (error) {
      this.#failure = unavailable(errorText(error));
    }
    return this.#failure === undefined;
  }

  async #ask(file: AuthFile, login: ChatgptLogin): Promise<RenewalFailure | undefined> {
    const { clock } = this.#options;
    const { refresh_token } = login.tokens;
    if (!refresh_token) return notRenewable();
    if (refresh_token === this.#dead?.token) return this.#dead.failure;
    const renewal = readRenewal(await postRefresh(this.#options, refresh_token));
    if ("failure" in renewal) {
      const { failure } = renewal;
      if (failure.final) this.#dead = { token: refresh_token, failure };
      return failure;
    }
    await this.#save(refresh_token, renewedFile(file, renewal.tokens, clock.now()));
    const { access_token = login.token } = renewal.tokens;
    return access_token === login.token ? notRenewable() : undefined;
  }

  async #save(replaces: string, file: AuthFile): Promise<void> {
    try {
      await this.#options.store.write(file);
      this.#unsaved = undefined;
    } catch {
      // The issuer has invalidated the old tokens: this session continues with the new ones in
      // memory.
      this.#unsaved = { replaces: this.#unsaved?.replaces ?? replaces, file };
    }
  }

  async #read(): Promise<AuthFile | undefined> {
    const stored = await this.#options.store.read();
    const unsaved = this.#unsaved;
    return unsaved !== undefined && stored?.tokens?.refresh_token === unsaved.replaces
      ? unsaved.file
      : stored;
  }
}

function toRequestAuth(login: Login): RequestAuth {
  if (login.kind === "api_key") return { kind: "api_key", token: login.token };
  const { planType } = readClaims(login.tokens.id_token);
  const accountId = login.tokens.account_id;
  return {
    kind: "chatgpt",
    token: login.token,
    ...(accountId ? { accountId } : undefined),
    ...(planType === undefined ? undefined : { planType }),
  };
}

/** Options for the stored login. */
export interface StoredTokensOptions {
  home: string;
  store: AuthStore;
  env: Environment;
  clock?: Clock;
  /** See `TokenSourceOptions`. Default: true. */
  openaiApiKey?: boolean;
}

/** Returns a token source for the stored login, refreshed by its issuer. */
export function storedTokens(options: StoredTokensOptions): TokenSource {
  const issuer = issuerOf(options.env);
  const http = postDirectly;
  return new TokenSource({ clock: systemClock, openaiApiKey: true, ...options, issuer, http });
}
