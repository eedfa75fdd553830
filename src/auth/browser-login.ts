import { createDeferred } from "../lib/async.js";
import {
  authorizeUrl,
  callbackUrl,
  createPkce,
  createState,
  isSame,
  successUrl,
} from "./authorize.js";
import {
  type BrowserAnswer,
  type BrowserRequest,
  badRequest,
  type CallbackServer,
  listenForBrowser,
  loginPage,
  notFound,
} from "./callback-server.js";
import {
  cancelledLogin,
  failedLogin,
  type LoginParts,
  type LoginResult,
  saveLogin,
} from "./save-login.js";
import { exchangeCode, exchangeForApiKey } from "./token-endpoint.js";

/** Options for a browser login. */
export interface BrowserLoginOptions extends LoginParts {
  originator: string;
  /** Default: the issuer's callback port. */
  port?: number;
  /** Time limit for the user. Default: ten minutes. */
  limitMs?: number;
  /** Fixed `state` instead of a random one, for tests. */
  state?: string;
}

/** A login that is pending in the user's browser. */
export interface BrowserLogin {
  /** To be shown to the user and opened in a browser. */
  authUrl: string;
  port: number;
  /** Never rejects. The callback server is closed by then. */
  done: Promise<LoginResult>;
  cancel(): void;
}

const defaultLimitMs = 10 * 60 * 1000;

/** A redirected browser requests the last page at once, or never. */
const lastPageMs = 2_000;

/** Starts a browser login with a callback server on loopback. Throws if it cannot listen. */
export async function startBrowserLogin(options: BrowserLoginOptions): Promise<BrowserLogin> {
  const flow = new BrowserFlow(options);
  const { port = options.issuer.callbackPort, clock } = options;
  const server = await listenForBrowser(port, flow.answer, clock, flow.signal);
  return {
    authUrl: flow.begin(server.port),
    port: server.port,
    done: flow.finish(server),
    cancel: () => flow.end(cancelledLogin),
  };
}

/** One login, from the consent page to the last page. */
class BrowserFlow {
  #options: BrowserLoginOptions;
  #pkce = createPkce();
  #state: string;
  #port = 0;
  #ended = createDeferred<LoginResult>();
  #abort = new AbortController();
  /** Pending or finished token exchange; a repeated callback gets the same response. */
  #exchange: Promise<BrowserAnswer> | undefined;
  #result: LoginResult | undefined;

  constructor(options: BrowserLoginOptions) {
    this.#options = options;
    this.#state = options.state ?? createState();
  }

  /** Aborts when the login has ended. */
  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  /** Starts the time limit; returns the consent URL. */
  begin(port: number): string {
    const { issuer, originator, clock, limitMs = defaultLimitMs } = this.#options;
    this.#port = port;
    clock.sleep(limitMs, this.signal).then(
      () => this.end({ ok: false, reason: "timed_out", error: "Login timed out" }),
      () => undefined,
    );
    const { challenge } = this.#pkce;
    const redirectUri = callbackUrl(port);
    return authorizeUrl({ issuer, redirectUri, challenge, state: this.#state, originator });
  }

  /** Ends the login; one that is already stored counts as successful. */
  end(result: LoginResult): void {
    this.#ended.resolve(this.#result ?? result);
    this.#abort.abort(new Error("the login has ended"));
  }

  async finish(server: CallbackServer): Promise<LoginResult> {
    const result = await this.#ended.promise;
    await server.close();
    return result;
  }

  answer = async (request: BrowserRequest): Promise<BrowserAnswer> => {
    switch (request.path) {
      case "/auth/callback":
        return this.#onCallback(request.query);
      case "/success":
        return this.#onSuccess();
      case "/cancel":
        return request.fromBrowser ? notFound : this.#onCancel();
      default:
        return notFound;
    }
  };

  #onCallback(query: URLSearchParams): BrowserAnswer | Promise<BrowserAnswer> {
    if (!isSame(query.get("state") ?? "", this.#state)) return badRequest("State mismatch");
    const error = query.get("error");
    if (error) return this.#onRefusal(query.get("error_description") || error);
    const code = query.get("code");
    if (!code) return badRequest("Missing authorization code");
    this.#exchange ??= this.#exchangeCode(code);
    return this.#exchange;
  }

  /** The user or the issuer refused. */
  #onRefusal(reason: string): BrowserAnswer {
    const text = `Sign-in was refused: ${reason.slice(0, 500)}`;
    return {
      reply: { status: 400, html: true, body: loginPage("Not signed in", text) },
      afterwards: () => this.end(failedLogin(text)),
    };
  }

  async #exchangeCode(code: string): Promise<BrowserAnswer> {
    try {
      const { verifier } = this.#pkce;
      const redirectUri = callbackUrl(this.#port);
      const grant = { code, redirectUri, verifier };
      const tokens = await exchangeCode(this.#options, grant, this.signal);
      const apiKey = await exchangeForApiKey(this.#options, tokens.idToken, this.signal);
      this.signal.throwIfAborted();
      const result: LoginResult = {
        ok: true,
        status: await saveLogin(this.#options, tokens, apiKey),
      };
      this.#result = result;
      return {
        reply: { status: 302, body: "", location: successUrl(this.#port, tokens) },
        afterwards: () => this.#endSoon(result),
      };
    } catch (error) {
      const text = `Token exchange failed: ${failedLogin(error).error}`;
      return {
        reply: { status: 500, html: true, body: loginPage("Not signed in", text) },
        afterwards: () => this.end(failedLogin(text)),
      };
    }
  }

  /** The login is stored, so it ends even if the browser never requests the last page. */
  #endSoon(result: LoginResult): void {
    this.#options.clock.sleep(lastPageMs, this.signal).then(
      () => this.end(result),
      () => undefined,
    );
  }

  #onSuccess(): BrowserAnswer {
    const result = this.#result;
    if (result === undefined) {
      const text = "Not signed in yet. Continue on the page that asked you to sign in.";
      return { reply: { status: 200, html: true, body: loginPage("Waiting for you", text) } };
    }
    const text = "You can close this window and go back to the terminal.";
    return {
      reply: { status: 200, html: true, body: loginPage("Signed in", text) },
      afterwards: () => this.end(result),
    };
  }

  #onCancel(): BrowserAnswer {
    return {
      reply: { status: 200, body: "Login cancelled" },
      afterwards: () => this.end({ ok: false, reason: "cancelled", error: "Login cancelled" }),
    };
  }
}
