import { readdir } from "node:fs/promises";
import { request } from "node:http";
import { type AddressInfo, createServer } from "node:net";
import { text } from "node:stream/consumers";
import { describe, expect, test } from "vitest";
import { type BrowserLoginOptions, startBrowserLogin } from "../../src/auth/index.js";
import { type Clock, systemClock } from "../../src/lib/clock.js";
import { type FakeIssuer, idToken, startIssuer } from "../support/issuer.js";
import { chatgptFile, makeHome, now, partsOf, type TestHome } from "./home.js";

/** A page as the browser gets it. */
interface Page {
  status: number | undefined;
  location: string | undefined;
  headers: Record<string, unknown>;
  body: string;
}

/** Asks our server for a page, as the browser would. */
function visit(
  port: number,
  path: string,
  { method = "GET", headers = {} }: { method?: string; headers?: Record<string, string> } = {},
): Promise<Page> {
  return new Promise((resolve, reject) => {
    const host = `localhost:${port}`;
    const outgoing = request({
      host: "127.0.0.1",
      port,
      path,
      method,
      agent: false,
      headers: { host, ...headers },
    });
    outgoing.on("error", reject);
    outgoing.on("response", async (incoming) => {
      const body = await text(incoming);
      const { location } = incoming.headers;
      resolve({ status: incoming.statusCode, location, headers: incoming.headers, body });
    });
    outgoing.end();
  });
}

/** A clock that stands still; the tests say when time is up. */
function stoppedClock(): Clock & { pass(): void } {
  const waiting = new Set<() => void>();
  return {
    now: () => now,
    sleep: (_, signal) =>
      new Promise((resolve, reject) => {
        waiting.add(resolve);
        signal.addEventListener("abort", () => reject(signal.reason));
      }),
    pass() {
      for (const resolve of waiting) resolve();
    },
  };
}

/** A login that waits for its browser; cancelled when it is disposed. */
async function startLogin(
  dir: TestHome,
  issuer: FakeIssuer,
  options: Partial<BrowserLoginOptions> = {},
) {
  const login = await startBrowserLogin({
    ...partsOf(dir.home, issuer.issuer, options.clock ?? stoppedClock()),
    originator: "codex_cli_rs",
    port: 0,
    ...options,
  });
  return {
    ...login,
    visit: (path: string, how?: Parameters<typeof visit>[2]) => visit(login.port, path, how),
    async [Symbol.asyncDispose]() {
      login.cancel();
      await login.done;
    },
  };
}

function pathOf(url: string | undefined): string {
  const { pathname, search } = new URL(url ?? "");
  return pathname + search;
}

const user = {
  method: "chatgpt",
  email: "user@example.com",
  planType: "pro",
  accountId: "account-1",
};

describe("signing in with the browser", () => {
  test("goes from the consent to the last page and stores the tokens", async () => {
    await using issuer = await startIssuer();
    await using dir = await makeHome({ OPENAI_API_KEY: "sk-old" });
    await using login = await startLogin(dir, issuer);

    const callback = await login.visit(pathOf(issuer.consent(login.authUrl)));
    const last = await login.visit(pathOf(callback.location));

    expect(await login.done).toEqual({ ok: true, status: user });
    expect(callback).toMatchObject({ status: 302, body: "" });
    expect(callback.location).toBe(
      `http://localhost:${login.port}/success?needs_setup=false&plan_type=`,
    );
    expect(last).toMatchObject({ status: 200, body: expect.stringContaining("Signed in") });
    expect(await dir.stored()).toEqual(chatgptFile(new Date(now).toISOString()));
    expect(await dir.mode()).toBe(0o600);
    expect(await readdir(dir.home)).toEqual(["auth.json"]);
    await expect(login.visit("/success")).rejects.toThrow("ECONNREFUSED");
  });

  test("asks as other programs of the kind do", async () => {
    await using issuer = await startIssuer();
    await using dir = await makeHome();
    await using login = await startLogin(dir, issuer, { state: "STATE" });

    const url = new URL(login.authUrl);
    await login.visit(pathOf(issuer.consent(login.authUrl)));

    expect(url.pathname).toBe("/oauth/authorize");
    expect(Object.fromEntries(url.searchParams)).toEqual({
      response_type: "code",
      client_id: "app_test",
      redirect_uri: `http://localhost:${login.port}/auth/callback`,
      scope: "openid profile email offline_access",
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge_method: "S256",
      id_token_add_organizations: "true",
      codex_cli_simplified_flow: "true",
      state: "STATE",
      originator: "codex_cli_rs",
    });
    expect(issuer.requests).toEqual([
      {
        path: "/oauth/token",
        contentType: "application/x-www-form-urlencoded",
        fields: {
          grant_type: "authorization_code",
          code: "code-1",
          redirect_uri: `http://localhost:${login.port}/auth/callback`,
          client_id: "app_test",
          code_verifier: expect.stringMatching(/^[\w-]{86}$/),
        },
      },
      {
        path: "/oauth/token",
        contentType: "application/x-www-form-urlencoded",
        fields: {
          grant_type: "urn:ietf:params:oauth:grant-type:token-exchange",
          client_id: "app_test",
          requested_token: "openai-api-key",
          subject_token: idToken,
          subject_token_type: "urn:ietf:params:oauth:token-type:id_token",
        },
      },
    ]);
  });

  test("never uses a word twice", async () => {
    await using issuer = await startIssuer();
    await using dir = await makeHome();
    await using one = await startLogin(dir, issuer);
    await using two = await startLogin(dir, issuer);
    const of = (url: string, name: string) => new URL(url).searchParams.get(name);

    expect(of(one.authUrl, "state")).toMatch(/^[\w-]{43}$/);
    expect(of(one.authUrl, "state")).not.toBe(of(two.authUrl, "state"));
    expect(of(one.authUrl, "code_challenge")).not.toBe(of(two.authUrl, "code_challenge"));
  });

  test("keeps a key that came along, but means ChatGPT", async () => {
    await using issuer = await startIssuer();
    await using dir = await makeHome();
    await using login = await startLogin(dir, issuer);
    issuer.givesApiKeys = true;

    const callback = await login.visit(pathOf(issuer.consent(login.authUrl)));
    await login.visit(pathOf(callback.location));

    expect(await login.done).toEqual({ ok: true, status: user });
    expect(await dir.stored()).toMatchObject({
      auth_mode: "chatgpt",
      OPENAI_API_KEY: "sk-exchanged",
    });
  });

  test("ends well though the browser never shows the last page and time is up", async () => {
    await using issuer = await startIssuer();
    await using dir = await makeHome();
    const clock = stoppedClock();
    await using login = await startLogin(dir, issuer, { clock });

    await login.visit(pathOf(issuer.consent(login.authUrl)));
    clock.pass();

    expect(await login.done).toEqual({ ok: true, status: user });
  });

  test("answers a browser that asks twice with one exchange", async () => {
    await using issuer = await startIssuer();
    await using dir = await makeHome();
    await using login = await startLogin(dir, issuer);
    const callback = pathOf(issuer.consent(login.authUrl));

    const pages = await Promise.all([login.visit(callback), login.visit(callback)]);

    expect(pages.map(({ status }) => status)).toEqual([302, 302]);
    expect(issuer.granted("authorization_code")).toHaveLength(1);
  });
});

describe("while it waits for the browser", () => {
  test.each([
    ["/auth/callback", 400, "State mismatch"],
    ["/auth/callback?code=x", 400, "State mismatch"],
    ["/auth/callback?code=x&state=wrong", 400, "State mismatch"],
    ["/auth/callback?state=STATE", 400, "Missing authorization code"],
    ["/auth/callback?state=STATE&code=", 400, "Missing authorization code"],
    ["/auth/callback?state=wrong&error=access_denied", 400, "State mismatch"],
    ["/nope", 404, "Not Found"],
    ["/", 404, "Not Found"],
    ["//", 404, "Not Found"],
  ])("%s is answered by %i and changes nothing", async (path, status, body) => {
    await using issuer = await startIssuer();
    await using dir = await makeHome();
    await using login = await startLogin(dir, issuer, { state: "STATE" });

    expect(await login.visit(path)).toMatchObject({ status, body });

    expect((await login.visit(pathOf(issuer.consent(login.authUrl)))).status).toBe(302);
    expect(issuer.granted("authorization_code")).toHaveLength(1);
  });

  test.each([
    ["another name", { headers: { host: "evil.example:80" } }, 403],
    ["another port", { headers: { host: "localhost:1" } }, 403],
    ["another method", { method: "POST" }, 405],
  ])("a request with %s is refused", async (_, how, status) => {
    await using issuer = await startIssuer();
    await using dir = await makeHome();
    await using login = await startLogin(dir, issuer, { state: "STATE" });

    expect((await login.visit("/auth/callback?state=STATE&code=x", how)).status).toBe(status);
    expect((await login.visit("/cancel", how)).status).toBe(status);
    expect(issuer.requests).toEqual([]);
  });

  test("requesting the last page alone does not sign in", async () => {
    await using issuer = await startIssuer();
    await using dir = await makeHome();
    await using login = await startLogin(dir, issuer);

    expect((await login.visit("/success")).body).toContain("Not signed in yet");

    expect((await login.visit("/nope")).status).toBe(404);
    expect(await readdir(dir.home)).toEqual([]);
  });

  test.each([
    [{ "sec-fetch-site": "cross-site" }],
    [{ "sec-fetch-site": "none" }],
    [{ origin: "https://evil.example" }],
    [{ origin: "null" }],
    [{ origin: "http://localhost:1455" }],
    [{ referer: "https://evil.example/" }],
    [{ "user-agent": "Mozilla/5.0 (X11; Linux x86_64)" }],
    [{ "access-control-request-method": "GET" }],
  ])("[security H12] a page that sends %j cannot cancel it", async (headers) => {
    await using issuer = await startIssuer();
    await using dir = await makeHome();
    await using login = await startLogin(dir, issuer);

    expect((await login.visit("/cancel", { headers })).status).toBe(404);

    const callback = await login.visit(pathOf(issuer.consent(login.authUrl)));
    await login.visit(pathOf(callback.location));
    expect(await login.done).toMatchObject({ ok: true });
  });

  test("pages are not cached and run no scripts", async () => {
    await using issuer = await startIssuer();
    await using dir = await makeHome();
    await using login = await startLogin(dir, issuer);

    expect((await login.visit("/success")).headers).toMatchObject({
      "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'",
      "cache-control": "no-store",
      "referrer-policy": "no-referrer",
      connection: "close",
    });
  });
});

describe("a login that does not come about", () => {
  test("is shown to the user as inert text", async () => {
    await using issuer = await startIssuer();
    await using dir = await makeHome();
    await using login = await startLogin(dir, issuer, { state: "STATE" });
    const reason = "<script>alert(1)</script>";

    const page = await login.visit(
      `/auth/callback?state=STATE&error=access_denied&error_description=${encodeURIComponent(reason)}`,
    );

    expect(page.status).toBe(400);
    expect(page.body).toContain("&#60;script&#62;alert(1)&#60;/script&#62;");
    expect(page.body).not.toContain("<script>");
    expect(await login.done).toEqual({
      ok: false,
      reason: "failed",
      error: `Sign-in was refused: ${reason}`,
    });
  });

  test.each([
    [{ status: 403, body: { error: "denied", secret: "access-0" } }, "status 403 (denied)"],
    [{ status: 200, body: { access_token: "access-0" } }, "all three tokens"],
    [{ status: 0, cut: true }, "socket hang up"],
  ])("ends with what the issuer did: %j", async (answer, reason) => {
    await using issuer = await startIssuer();
    await using dir = await makeHome();
    await using login = await startLogin(dir, issuer);
    issuer.next.push(answer);

    const page = await login.visit(pathOf(issuer.consent(login.authUrl)));
    const result = await login.done;

    expect(page.status).toBe(500);
    expect(result).toEqual({
      ok: false,
      reason: "failed",
      error: expect.stringMatching(/^Token exchange failed: /),
    });
    expect(JSON.stringify(result)).toContain(reason);
    expect(JSON.stringify([page, result])).not.toMatch(/access-0|code-1/);
    expect(await readdir(dir.home)).toEqual([]);
  });

  test("can be cancelled from this side and from the other", async () => {
    await using issuer = await startIssuer();
    await using dir = await makeHome();
    await using here = await startLogin(dir, issuer);
    await using there = await startLogin(dir, issuer);

    here.cancel();
    const page = await there.visit("/cancel");

    expect(await here.done).toEqual({
      ok: false,
      reason: "cancelled",
      error: "Login was not completed",
    });
    expect(page).toMatchObject({ status: 200, body: "Login cancelled" });
    expect(await there.done).toEqual({ ok: false, reason: "cancelled", error: "Login cancelled" });
  });

  test("ends when its time is up", async () => {
    await using issuer = await startIssuer();
    await using dir = await makeHome();
    const clock = stoppedClock();
    await using login = await startLogin(dir, issuer, { clock });

    clock.pass();

    expect(await login.done).toEqual({ ok: false, reason: "timed_out", error: "Login timed out" });
  });
});

describe("a port that is taken", () => {
  test("is got back from another login", async () => {
    await using issuer = await startIssuer();
    await using dir = await makeHome();
    await using first = await startLogin(dir, issuer, { clock: systemClock });

    await using second = await startLogin(dir, issuer, { clock: systemClock, port: first.port });

    expect(second.port).toBe(first.port);
    expect(await first.done).toMatchObject({ error: "Login cancelled" });
  });

  test("by something else is given up after ten tries", async () => {
    await using issuer = await startIssuer();
    await using dir = await makeHome();
    const asked: string[] = [];
    const other = createServer((socket) => {
      socket.on("error", () => undefined);
      socket.on("data", (data) => asked.push(data.toString().split("\r\n")[0] ?? ""));
      socket.on("data", () => socket.end());
    });
    await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
    const { port } = other.address() as AddressInfo;
    const waits: number[] = [];
    const clock = { ...stoppedClock(), sleep: async (ms: number) => void waits.push(ms) };

    const login = startLogin(dir, issuer, { clock, port });

    await expect(login).rejects.toThrow(`Port 127.0.0.1:${port} is already in use`);
    expect(asked).toEqual(["GET /cancel HTTP/1.1"]);
    expect(waits).toEqual(Array.from({ length: 9 }, () => 200));
    await new Promise((resolve) => other.close(resolve));
  });
});
