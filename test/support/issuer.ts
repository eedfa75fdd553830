import { createHash } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { type Issuer, issuerOf } from "../../src/auth/index.js";

/** A request to the issuer. */
export interface IssuerRequest {
  path: string;
  contentType: string | undefined;
  fields: Record<string, string>;
}

/** A response that replaces the default of the issuer. */
export interface IssuerAnswer {
  status: number;
  body?: unknown;
  /** Reset the connection. */
  cut?: boolean;
  /** URL that the browser is sent to. */
  location?: string;
}

/** A login server on loopback that knows one user; dispose it with `await using`. */
export interface FakeIssuer extends AsyncDisposable {
  issuer: Issuer;
  requests: IssuerRequest[];
  /** Returns the requests to the token endpoint with this grant type. */
  granted(grantType: string): IssuerRequest[];
  /** Answers to the next requests, in order. */
  next: IssuerAnswer[];
  /** Awaited before each token refresh is answered. */
  beforeRenewal: () => Promise<void>;
  /** Issue an API key too. */
  givesApiKeys: boolean;
  /** Number of polls by the device before the user has entered the code. */
  pendingPolls: number;
  /** Plays the user's consent; returns the URL that the browser is sent to. */
  consent(authUrl: string): string;
  /** Reason why the consent page denies the login. */
  refusal: string | undefined;
}

/** Starts a login server that rotates refresh tokens and rejects used ones. */
export async function startIssuer(): Promise<FakeIssuer> {
  const play = new IssuerPlay();
  const server = createServer((request, response) => void play.answer(request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  play.issuer = issuerOf({}, { url, clientId: "app_test" });
  return Object.assign(play, {
    async [Symbol.asyncDispose]() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  });
}

/** A token that names the user; it has no signature. */
export function toJwt(claims: Record<string, unknown>): string {
  const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");
  return `${part({ alg: "none" })}.${part(claims)}.${part("signature")}`;
}

/** The ID token of the issuer's user. */
export const idToken = toJwt({
  email: "user@example.com",
  "https://api.openai.com/auth": {
    chatgpt_account_id: "account-1",
    chatgpt_plan_type: "pro",
  },
});

class IssuerPlay {
  issuer: Issuer = issuerOf({});
  requests: IssuerRequest[] = [];
  next: IssuerAnswer[] = [];
  beforeRenewal = async (): Promise<void> => undefined;
  givesApiKeys = false;
  pendingPolls = 0;
  refusal: string | undefined;
  #challenges = new Map<string, { challenge: string; redirectUri: string }>();
  #generation = 0;

  granted(grantType: string): IssuerRequest[] {
    return this.requests.filter(({ fields }) => fields.grant_type === grantType);
  }

  consent(authUrl: string): string {
    const query = new URL(authUrl).searchParams;
    const redirectUri = query.get("redirect_uri") ?? "";
    this.#challenges.set("code-1", { challenge: query.get("code_challenge") ?? "", redirectUri });
    return `${redirectUri}?code=code-1&state=${query.get("state")}`;
  }

  async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = request.url ?? "";
    const contentType = request.headers["content-type"];
    const body = await text(request);
    const fields = contentType?.includes("json")
      ? JSON.parse(body)
      : Object.fromEntries(new URLSearchParams(body));
    this.requests.push({ path, contentType, fields });
    const answer = this.next.shift() ?? (await this.#decide(path, fields));
    if (answer.cut) return void request.socket.destroy();
    const location = answer.location === undefined ? {} : { location: answer.location };
    response.writeHead(answer.status, { "content-type": "application/json", ...location });
    response.end(JSON.stringify(answer.body ?? {}));
  }

  async #decide(path: string, fields: Record<string, string>): Promise<IssuerAnswer> {
    if (path === "/oauth/token") return this.#token(fields);
    if (path.startsWith("/oauth/authorize?")) return this.#consentPage(path);
    if (path === "/api/accounts/deviceauth/usercode") {
      const body = { device_auth_id: "device-1", user_code: "ABCD-1234", interval: "5" };
      return { status: 200, body };
    }
    if (path === "/api/accounts/deviceauth/token") return this.#deviceToken(fields);
    return { status: 404 };
  }

  /** The user signs in at once; the browser returns to the caller. */
  #consentPage(path: string): IssuerAnswer {
    const location = this.consent(`${this.issuer.url}${path}`);
    if (this.refusal === undefined) return { status: 302, location };
    return { status: 302, location: location.replace("code=code-1", `error=${this.refusal}`) };
  }

  async #token(fields: Record<string, string>): Promise<IssuerAnswer> {
    switch (fields.grant_type) {
      case "authorization_code":
        return this.#exchange(fields);
      case "refresh_token":
        await this.beforeRenewal();
        return this.#renew(fields);
      default:
        if (!this.givesApiKeys) return { status: 400, body: { error: "invalid_subject_token" } };
        return { status: 200, body: { access_token: "sk-exchanged" } };
    }
  }

  #exchange({ code = "", redirect_uri, code_verifier = "" }: Record<string, string>): IssuerAnswer {
    const asked = this.#challenges.get(code);
    this.#challenges.delete(code);
    const challenge = createHash("sha256").update(code_verifier).digest("base64url");
    if (asked?.challenge !== challenge || asked.redirectUri !== redirect_uri) {
      return { status: 400, body: { error: "invalid_grant" } };
    }
    return { status: 200, body: this.#tokens() };
  }

  #renew({ refresh_token }: Record<string, string>): IssuerAnswer {
    if (refresh_token !== `refresh-${this.#generation}`) {
      return { status: 401, body: { error: { code: "refresh_token_reused" } } };
    }
    this.#generation++;
    return { status: 200, body: this.#tokens() };
  }

  #deviceToken({ device_auth_id, user_code }: Record<string, string>): IssuerAnswer {
    if (device_auth_id !== "device-1" || user_code !== "ABCD-1234") return { status: 400 };
    if (this.pendingPolls-- > 0) return { status: 403 };
    const verifier = "device-verifier";
    const challenge = createHash("sha256").update(verifier).digest("base64url");
    const redirectUri = `${this.issuer.url}/deviceauth/callback`;
    this.#challenges.set("code-2", { challenge, redirectUri });
    const body = {
      authorization_code: "code-2",
      code_challenge: challenge,
      code_verifier: verifier,
    };
    return { status: 200, body };
  }

  #tokens(): Record<string, string> {
    return {
      id_token: idToken,
      access_token: `access-${this.#generation}`,
      refresh_token: `refresh-${this.#generation}`,
    };
  }
}
