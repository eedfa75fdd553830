import {
  type AuthSource,
  type ClientTokens,
  issuerOf,
  type LoginResult,
  loginWithApiKey,
  logout,
  openAuthStore,
  postDirectly,
  type RenewTokens,
  startBrowserLogin,
  startDeviceLogin,
} from "../../auth/index.js";
import type { Config } from "../../config/index.js";
import { CodexError } from "../../protocol/error.js";
import type { Host } from "../host.js";

/** Outcome of a login that finished in the background. */
export interface EndedLogin {
  loginId: string;
  success: boolean;
  error?: string;
}

/** Signs the user in and out. At most one login is pending, whichever surface started it. */
export class Logins {
  #parts: Host;
  #config: () => Promise<Config>;
  #active: { id: string; cancel(): void } | undefined;

  /** `config` loads the settings that restrict logins. */
  constructor(parts: Host, config: () => Promise<Config>) {
    this.#parts = parts;
    this.#config = config;
  }

  /** Returns the store of the user's login, and the settings. */
  async store() {
    const config = await this.#config();
    const { home, cli_auth_credentials_store: mode } = config;
    return { home, store: await openAuthStore({ home, mode }), config };
  }

  /** Returns the source of credentials for requests; it can refresh them. */
  async tokens(): Promise<AuthSource> {
    return this.#parts.authSource(await this.#config());
  }

  /** Signs in with tokens that a client provides and refreshes. They are not stored. */
  async useTokens(tokens: ClientTokens, renew: RenewTokens): Promise<void> {
    await this.#requireWay("chatgpt");
    this.close();
    (await this.#parts.givenTokens()).set(tokens, renew);
  }

  /** Signs in with an API key, replacing any other login. */
  async useKey(apiKey: string): Promise<void> {
    await this.#require("api");
    this.close();
    await loginWithApiKey(await this.store(), apiKey);
  }

  /** Signs out. */
  async end(): Promise<void> {
    this.close();
    (await this.#parts.givenTokens()).clear();
    await logout(await this.store());
  }

  /** Starts a login in the browser; cancels a pending one. */
  async begin(onEnd: (ended: EndedLogin) => void): Promise<{ loginId: string; authUrl: string }> {
    const parts = await this.#prepare();
    const { originator } = this.#parts;
    const login = await startBrowserLogin({ ...parts, originator });
    return { loginId: this.#follow(login, onEnd), authUrl: login.authUrl };
  }

  /** Starts a device-code login; cancels a pending one. */
  async beginWithCode(
    onEnd: (ended: EndedLogin) => void,
  ): Promise<{ loginId: string; verificationUrl: string; userCode: string }> {
    const login = await startDeviceLogin(await this.#prepare());
    const { verificationUrl, userCode } = login;
    return { loginId: this.#follow(login, onEnd), verificationUrl, userCode };
  }

  /** Cancels a login; returns false if it is not pending. */
  cancel(loginId: string): boolean {
    if (this.#active?.id !== loginId) return false;
    this.close();
    return true;
  }

  /** Cancels the pending login, if any. */
  close(): void {
    this.#active?.cancel();
    this.#active = undefined;
  }

  async #prepare() {
    await this.#require("chatgpt");
    this.close();
    const { env, clock } = this.#parts;
    const { home, store } = await this.store();
    return { home, store, issuer: issuerOf(env), http: postDirectly, clock };
  }

  /** Throws if a client provides the tokens: a stored login would have no effect. */
  async #require(way: "api" | "chatgpt"): Promise<void> {
    await this.#requireWay(way);
    if ((await this.#parts.givenTokens()).current === undefined) return;
    throw new CodexError(
      "invalid_request",
      "External auth is active. Use account/login/start (chatgptAuthTokens) to update it or account/logout to clear it.",
    );
  }

  /** Throws if the settings force another login method. */
  async #requireWay(way: "api" | "chatgpt"): Promise<void> {
    const { forced_login_method: forced } = await this.#config();
    if (forced === undefined || forced === way) return;
    const message =
      way === "api"
        ? "API key login is disabled. Use ChatGPT login instead."
        : "ChatGPT login is disabled. Use API key login instead.";
    throw new CodexError("invalid_request", message);
  }

  #follow(
    login: { done: Promise<LoginResult>; cancel(): void },
    onEnd: (ended: EndedLogin) => void,
  ): string {
    const id = this.#parts.newId();
    this.#active = { id, cancel: () => login.cancel() };
    void login.done.then((result) => {
      if (this.#active?.id === id) this.#active = undefined;
      onEnd(toEnded(id, result));
    });
    return id;
  }
}

function toEnded(loginId: string, result: LoginResult): EndedLogin {
  if (result.ok) return { loginId, success: true };
  const error =
    result.reason === "timed_out" ? result.error : `Login server error: ${result.error}`;
  return { loginId, success: false, error };
}
