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

/** What requests to the model are signed with. */
export interface RequestAuth {
  kind: "api_key" | "chatgpt";
  token: string;
  accountId?: string;
  planType?: string;
}

/** What a token source is made of. */
export interface TokenSourceOptions {
  home: string;
  store: AuthStore;
  issuer: Issuer;
  http: HttpClient;
  clock: Clock;
  env: Environment;
  /** `OPENAI_API_KEY` is used when nobody is signed in. */
  openaiApiKey?: boolean;
  /** Tokens older than this are renewed before they are used. */
  maxAgeMs?: number;
}

const defaultMaxAgeMs = 28 * 24 * 60 * 60 * 1000;

/** After a renewal that did not work out, tokens that are merely old are used for a while. */
const pauseMs = 60_000;

/**
 * Gives each request of one client the login as it is now.
 *
 * The store is asked every time, so that signing in or out elsewhere counts at once. Tokens are
 * renewed under a lock that all processes share, after another look at the store: of any number of
 * sessions whose token was refused, one renews it and the others find the new one.
 */
export class TokenSource {
  #options: TokenSourceOptions;
  /** What the last request was signed with. */
  #given: RequestAuth | undefined;
  #failure: RenewalFailure | undefined;
  /** A refresh token that the issuer will never take again, and what it said of it. */
  #dead: { token: string; failure: RenewalFailure } | undefined;
  #pausedUntil = 0;
  /** Renewed tokens that could not be stored: the old ones are spent. */
  #unsaved: { replaces: string; file: AuthFile } | undefined;

  constructor(options: TokenSourceOptions) {
    this.#options = options;
  }

  /** Why the last renewal did not work; nothing after one that did. */
  get failure(): RenewalFailure | undefined {
    return this.#failure;
  }

  /** Nothing when there is neither login nor key. Throws when the stored login cannot be read. */
  async current(): Promise<RequestAuth | undefined> {
    this.#given = await this.#find();
    return this.#given;
  }

  /** Renews what the last request was signed with; true when there is something newer now. */
  async refresh(): Promise<boolean> {
    const refused = this.#given ?? (await this.#find());
    if (refused?.kind === "chatgpt") return this.#renew((login) => login.token === refused.token);
    // A key cannot be renewed, but the user may have put another in its place.
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

  /** Renews the stored login if it is still one that needs it. */
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
      // The login server has spent the old tokens: this session goes on with what it was given.
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

/** Whose login it is, and what else may stand in for it. */
export interface StoredTokensOptions {
  home: string;
  store: AuthStore;
  env: Environment;
  clock?: Clock;
  /** See `TokenSourceOptions`; it is unless said. */
  openaiApiKey?: boolean;
}

/** The login that is stored for the user, renewed by who issued it when it must be. */
export function storedTokens(options: StoredTokensOptions): TokenSource {
  const issuer = issuerOf(options.env);
  const http = postDirectly;
  return new TokenSource({ clock: systemClock, openaiApiKey: true, ...options, issuer, http });
}
