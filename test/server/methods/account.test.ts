import { existsSync, statSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { expect, test } from "vitest";
import { initialize, startAppServer } from "../../support/app-server.js";
import { type FakeIssuer, idToken, startIssuer } from "../../support/issuer.js";
import { signIn } from "../../support/sign-in.js";

const needsLogin = {
  model_providers: {
    mock: { name: "mock", base_url: "http://127.0.0.1:1/v1", requires_openai_auth: true },
  },
};

test("a provider that needs no login has no account", async () => {
  await using server = await startAppServer();
  const client = server.connect();
  await initialize(client);

  expect(await client.call("account/read", {})).toEqual({
    account: null,
    requiresOpenaiAuth: false,
    workspaceRouting: null,
  });
});

test("an API key login notifies all clients after the reply", async () => {
  await using server = await startAppServer({ config: needsLogin });
  const [client, other] = [server.connect(), server.connect()];
  await Promise.all([initialize(client), initialize(other)]);

  const started = await client.call("account/login/start", { type: "apiKey", apiKey: "sk-x" });
  const completed = await other.until("account/login/completed");
  const updated = await other.until("account/updated");

  expect(started).toEqual({ type: "apiKey" });
  expect(completed.params).toEqual({
    loginId: null,
    success: true,
    error: null,
    onboardingEntrypoint: null,
  });
  expect(updated.params).toEqual({ authMode: "apikey", planType: null });
  expect(await client.call("account/read", {})).toMatchObject({ account: { type: "apiKey" } });
  await expect(client.call("account/rateLimits/read")).rejects.toMatchObject({
    code: -32600,
    message: "chatgpt authentication required to read rate limits",
  });

  expect(await client.call("account/logout")).toEqual({});
  expect((await other.until("account/updated")).params).toEqual({ authMode: null, planType: null });
  expect(await client.call("account/read", {})).toMatchObject({ account: null });
  expect(existsSync(join(server.home, "auth.json"))).toBe(false);
});

test("an older client receives the notifications of its version", async () => {
  await using server = await startAppServer({ config: needsLogin, era: "0.104" });
  const client = server.connect();
  await initialize(client);

  await client.call("account/login/start", { type: "apiKey", apiKey: "sk-x" });

  expect(await client.until("account/login/completed")).toEqual({
    method: "account/login/completed",
    params: { loginId: null, success: true, error: null },
  });
  expect((await client.until("account/updated")).params).toEqual({ authMode: "apikey" });
  expect(await client.call("account/read", {})).toEqual({
    account: { type: "apiKey" },
    requiresOpenaiAuth: true,
  });
});

test("a device code signs in", async () => {
  await using issuer = await startIssuer();
  await using server = await startAppServer({
    config: needsLogin,
    env: { CODEX_APP_SERVER_LOGIN_ISSUER: issuer.issuer.url },
  });
  const client = server.connect();
  await initialize(client);

  const started = (await client.call("account/login/start", { type: "chatgptDeviceCode" })) as {
    loginId: string;
  };
  const { params } = await client.until("account/login/completed");
  const updated = await client.until("account/updated");

  expect(started).toMatchObject({
    type: "chatgptDeviceCode",
    verificationUrl: `${issuer.issuer.url}/codex/device`,
    userCode: expect.any(String),
  });
  expect(params).toMatchObject({ loginId: started.loginId, success: true, error: null });
  expect(updated.params).toEqual({ authMode: "chatgpt", planType: "pro" });
  expect(await client.call("account/read", {})).toMatchObject({
    account: { type: "chatgpt", email: "user@example.com", planType: "pro", workspaceName: null },
  });
});

/** Starts a server whose users sign in at a login server of the test. */
async function startWithIssuer(issuer: FakeIssuer) {
  const env = { CODEX_APP_SERVER_LOGIN_ISSUER: issuer.issuer.url, QUIRE_LOGIN_PORT: "0" };
  const server = await startAppServer({ config: needsLogin, env });
  const client = server.connect();
  await initialize(client);
  const start = async () =>
    (await client.call("account/login/start", { type: "chatgpt" })) as {
      loginId: string;
      authUrl: string;
    };
  return { server, client, start, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
}

test("a browser login signs in", async () => {
  await using issuer = await startIssuer();
  await using user = await startWithIssuer(issuer);

  const started = await user.start();
  const page = await fetch(started.authUrl);

  expect(started).toEqual({
    type: "chatgpt",
    loginId: expect.any(String),
    authUrl: expect.stringContaining(`${issuer.issuer.url}/oauth/authorize?`),
  });
  expect([page.status, await page.text()]).toEqual([200, expect.stringContaining("Signed in")]);
  expect((await user.client.until("account/login/completed")).params).toMatchObject({
    loginId: started.loginId,
    success: true,
    error: null,
  });
  expect((await user.client.until("account/updated")).params).toEqual({
    authMode: "chatgpt",
    planType: "pro",
  });
  expect(statSync(join(user.server.home, "auth.json")).mode & 0o777).toBe(0o600);
  expect(await user.client.call("account/read", {})).toMatchObject({
    account: { type: "chatgpt", email: "user@example.com", planType: "pro" },
  });
});

test.each([
  ["access_denied", [], "Login server error: Sign-in was refused: access_denied"],
  [undefined, [{ status: 400, body: { error: "invalid_grant" } }], "Token exchange failed: "],
])(
  "a login that the issuer rejects (%s) is reported with the reason",
  async (refusal, next, words) => {
    await using issuer = await startIssuer();
    await using user = await startWithIssuer(issuer);
    issuer.refusal = refusal;

    const { loginId, authUrl } = await user.start();
    const consent = await fetch(authUrl, { redirect: "manual" });
    issuer.next.push(...next);
    await fetch(consent.headers.get("location") ?? "");

    expect((await user.client.until("account/login/completed")).params).toMatchObject({
      loginId,
      success: false,
      error: expect.stringContaining(words),
    });
    expect(existsSync(join(user.server.home, "auth.json"))).toBe(false);
  },
);

test("a new browser login replaces a pending one", async () => {
  await using issuer = await startIssuer();
  await using user = await startWithIssuer(issuer);

  const first = await user.start();
  const second = await user.start();

  expect((await user.client.until("account/login/completed")).params).toMatchObject({
    loginId: first.loginId,
    success: false,
  });
  const { loginId } = second;
  expect(await user.client.call("account/login/cancel", { loginId })).toEqual({
    status: "canceled",
  });
  await expect(fetch(second.authUrl)).rejects.toThrow();
});

test("a pending login can be cancelled once", async () => {
  await using issuer = await startIssuer();
  issuer.pendingPolls = 1000;
  await using server = await startAppServer({
    env: { CODEX_APP_SERVER_LOGIN_ISSUER: issuer.issuer.url },
  });
  const client = server.connect();
  await initialize(client);
  const { loginId } = (await client.call("account/login/start", {
    type: "chatgptDeviceCode",
  })) as { loginId: string };

  expect(await client.call("account/login/cancel", { loginId })).toEqual({ status: "canceled" });
  expect((await client.until("account/login/completed")).params).toMatchObject({
    loginId,
    success: false,
    error: "Login server error: Login was not completed",
  });
  expect(await client.call("account/login/cancel", { loginId })).toEqual({ status: "notFound" });
});

test("a client can provide tokens and is asked to refresh them", async () => {
  await using server = await startAppServer({ config: needsLogin });
  const asked: unknown[] = [];
  const client = server.connect(({ method, params }) => {
    asked.push([method, params]);
    return { accessToken: "newer", chatgptAccountId: "account-2", chatgptPlanType: null };
  });
  await initialize(client);
  const start = (params: object) => client.call("account/login/start", params);

  expect(await start({ type: "chatgptAuthTokens", accessToken: idToken })).toEqual({
    type: "chatgptAuthTokens",
  });
  expect((await client.until("account/updated")).params).toEqual({
    authMode: "chatgptAuthTokens",
    planType: "pro",
  });
  expect(await client.call("account/read", {})).toMatchObject({
    account: { type: "chatgpt", email: "user@example.com", planType: "pro" },
  });
  expect(existsSync(join(server.home, "auth.json"))).toBe(false);
  await expect(start({ type: "apiKey", apiKey: "sk-x" })).rejects.toThrow(
    "External auth is active",
  );

  const given = await server.parts.givenTokens();
  expect(await Promise.all([given.refresh(), given.refresh()])).toEqual([true, true]);
  expect(asked).toEqual([
    [
      "account/chatgptAuthTokens/refresh",
      { reason: "unauthorized", previousAccountId: "account-1" },
    ],
  ]);
  expect(await client.call("getAuthStatus", { includeToken: true })).toMatchObject({
    authToken: "newer",
  });
  await client.call("account/logout");
  expect(await client.call("account/read", {})).toMatchObject({ account: null });
});

test("requests fail if the client cannot refresh its tokens", async () => {
  await using server = await startAppServer({ config: needsLogin });
  const client = server.connect(() => ({ nothing: true }));
  await initialize(client);
  await client.call("account/login/start", { type: "chatgptAuthTokens", accessToken: "old" });
  const given = await server.parts.givenTokens();

  expect(await given.refresh()).toBe(false);
  await client.close();

  expect(await given.refresh()).toBe(false);
  expect(given.current?.token).toBe("old");
});

test.each([
  ["chatgpt", { type: "apiKey", apiKey: "sk-x" }, "API key login is disabled."],
  ["api", { type: "chatgpt" }, "ChatGPT login is disabled."],
])(
  "with the forced login method %s, %j is rejected",
  async (forced_login_method, params, message) => {
    await using server = await startAppServer({ config: { forced_login_method } });
    const client = server.connect();
    await initialize(client);

    await expect(client.call("account/login/start", params)).rejects.toThrow(message);
  },
);

test("rate limits are read from the vendor's server", async () => {
  const asked: unknown[] = [];
  const vendor = createServer(({ url, headers }, response) => {
    asked.push([url, headers.authorization, headers["chatgpt-account-id"]]);
    response.end(
      JSON.stringify({
        plan_type: "pro",
        rate_limit: {
          allowed: true,
          primary_window: { used_percent: 12, limit_window_seconds: 18000, reset_at: 1700000000 },
        },
        credits: { has_credits: true, unlimited: false, balance: 5.5 },
        additional_rate_limits: [{ limit_name: "More", metered_feature: "more", rate_limit: null }],
      }),
    );
  });
  await new Promise<void>((resolve) => vendor.listen(0, "127.0.0.1", resolve));
  const { port } = vendor.address() as AddressInfo;
  await using server = await startAppServer({
    config: { ...needsLogin, chatgpt_base_url: `http://127.0.0.1:${port}/backend-api/` },
  });
  const client = server.connect();
  await initialize(client);
  await expect(client.call("account/rateLimits/read")).rejects.toThrow(
    "codex account authentication required to read rate limits",
  );
  signIn(server);

  const answer = await client.call("account/rateLimits/read");
  await new Promise((resolve) => vendor.close(resolve));

  expect(asked).toEqual([["/backend-api/wham/usage", "Bearer access", "account-1"]]);
  const unknown = {
    normalModelSlug: null,
    individualLimit: null,
    spendControlReached: null,
    rateLimitReachedType: null,
    secondary: null,
    planType: "pro",
  };
  const own = {
    ...unknown,
    limitId: "codex",
    limitName: null,
    primary: { usedPercent: 12, windowDurationMins: 300, resetsAt: 1700000000 },
    credits: { hasCredits: true, unlimited: false, balance: "5.5" },
  };
  const more = { ...unknown, limitId: "more", limitName: "More", primary: null, credits: null };
  expect(answer).toEqual({
    ordinaryUsageAllowed: true,
    rateLimits: own,
    rateLimitsByLimitId: { codex: own, more },
    rateLimitResetCredits: null,
    accountId: "account-1",
    rateLimitUpsell: null,
  });
});
