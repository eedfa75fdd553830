import {
  type BrowserLogin,
  issuerOf,
  type LoginResult,
  loginWithApiKey,
  logout,
  openAuthStore,
  postDirectly,
  startBrowserLogin,
} from "../../auth/index.js";
import type { Config } from "../../config/index.js";
import type { LocalParts } from "../../engine/index.js";
import { CodexError } from "../../protocol/error.js";
import type {
  AuthStatusChangeNotification,
  LoginChatGptCompleteNotification,
  LoginChatGptResponse,
} from "../../protocol/rpc/v1/account.js";

/** What the keeper of logins works with, and whom it tells. */
export interface LoginsOptions {
  parts: LocalParts;
  onComplete(params: LoginChatGptCompleteNotification): void;
  onAuthChange(params: AuthStatusChangeNotification): void;
}

/** Signs the user in and out; one login in the browser at a time. */
export class Logins {
  #options: LoginsOptions;
  #active: { id: string; login: BrowserLogin } | undefined;

  constructor(options: LoginsOptions) {
    this.#options = options;
  }

  /** Where the login of the user is kept. */
  async store() {
    const config = await this.config();
    const { home, cli_auth_credentials_store: mode } = config;
    return { home, store: await openAuthStore({ home, mode }), config };
  }

  /** The settings that decide about logins. */
  config(): Promise<Config> {
    return this.#options.parts.loadConfig({ type: "configure_session" });
  }

  /** Signs in with a key, in place of any other login. */
  async useKey(apiKey: string): Promise<void> {
    this.close();
    await loginWithApiKey(await this.store(), apiKey);
  }

  /** Signs out. */
  async end(): Promise<void> {
    this.close();
    await logout(await this.store());
  }

  /** Tells all clients how one is signed in now. */
  tellChange(authMethod: string | undefined): void {
    this.#options.onAuthChange(authMethod === undefined ? {} : { authMethod });
  }

  /** Begins a login in the browser; one that is under way is given up. */
  async begin(): Promise<LoginChatGptResponse> {
    const { parts } = this.#options;
    this.close();
    const { home, store } = await this.store();
    const login = await startBrowserLogin({
      home,
      store,
      issuer: issuerOf(parts.env),
      http: postDirectly,
      clock: parts.clock,
      originator: parts.originator,
    });
    const id = parts.newId();
    this.#active = { id, login };
    void login.done.then((result) => this.#complete(id, result));
    return { loginId: id, authUrl: login.authUrl };
  }

  /** Gives up a login; throws when it is not the one under way. */
  cancel(loginId: string): void {
    if (this.#active?.id !== loginId) {
      throw new CodexError("not_found", `login id not found: ${loginId}`);
    }
    this.close();
  }

  /** Gives up the login under way, if there is one. */
  close(): void {
    this.#active?.login.cancel();
    this.#active = undefined;
  }

  #complete(loginId: string, result: LoginResult): void {
    if (this.#active?.id === loginId) this.#active = undefined;
    if (result.ok) {
      this.#options.onComplete({ loginId, success: true });
      this.tellChange("chatgpt");
      return;
    }
    const error =
      result.reason === "timed_out" ? result.error : `Login server error: ${result.error}`;
    this.#options.onComplete({ loginId, success: false, error });
  }
}
