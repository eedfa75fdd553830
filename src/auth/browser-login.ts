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
  type CallbackServer,
  listenForBrowser,
  loginPage,
} from "./callback-server.js";
import {
  cancelledLogin,
  failedLogin,
  type LoginParts,
  type LoginResult,
  saveLogin,
} from "./save-login.js";
import { exchangeCode, exchangeForApiKey } from "./token-endpoint.js";

/** What a login in the browser is started with. */
export interface BrowserLoginOptions extends LoginParts {
  originator: string;
  /** What the issuer says unless told. */
  port?: number;
  /** How long the user may take; ten minutes unless told. */
  limitMs?: number;
  /** A fixed word instead of a random one, so that a test can play the browser. */
  state?: string;
}

/** A login that waits for the user. */
export interface BrowserLogin {
  /** To be shown to the user and opened in a browser. */
  authUrl: string;
  port: number;
  /** Never rejects. The server is closed by then. */
  done: Promise<LoginResult>;
  cancel(): void;
}

const defaultLimitMs = 10 * 60 * 1000;

/** A browser that was sent on to the last page asks for it at once, or not at all. */
const lastPageMs = 2_000;

/** Waits on loopback for the user to sign in with the browser. Throws when it cannot wait there. */
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
  /** The exchange under way or done; a browser that asks twice gets the same answer. */
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

  /** Starts the user's time; returns where to send them. */
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

  /** Ends it; a login that is stored has succeeded, whoever gives up on it now. */
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

  /** The user or the issuer said no. */
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

  /** The login is stored; whether the browser shows the last page does not matter for it. */
  #endSoon(result: LoginResult): void {
    this.#options.clock.sleep(lastPageMs, this.signal).then(
      () => this.end(result),
      () => undefined,
    );
  }

  #onSuccess(): BrowserAnswer {
    const result = this.#result;
    if (result === undefined) {
      const text = "Nobody has signed in yet. Go on where you were asked to.";
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

const notFound: BrowserAnswer = { reply: { status: 404, body: "Not Found" } };

/** The login goes on: anybody could have sent this. */
function badRequest(body: string): BrowserAnswer {
  return { reply: { status: 400, body } };
}
