import { readdir } from "node:fs/promises";
import { expect, test } from "vitest";
import { startDeviceLogin } from "../../src/auth/index.js";
import { startIssuer } from "../support/issuer.js";
import { chatgptFile, makeHome, now, partsOf, quickClock } from "./home.js";

test("the user enters a code elsewhere and is signed in here", async () => {
  await using issuer = await startIssuer();
  await using dir = await makeHome();
  const clock = quickClock();
  issuer.pendingPolls = 3;

  const login = await startDeviceLogin(partsOf(dir.home, issuer.issuer, clock));

  expect(login).toMatchObject({
    verificationUrl: `${issuer.issuer.url}/codex/device`,
    userCode: "ABCD-1234",
    expiresAt: now + 15 * 60_000,
  });
  expect(await login.done).toEqual({
    ok: true,
    status: {
      method: "chatgpt",
      email: "user@example.com",
      planType: "pro",
      accountId: "account-1",
    },
  });
  expect(clock.waits).toEqual([5000, 5000, 5000]);
  expect(await dir.stored()).toEqual(chatgptFile(new Date(now + 15_000).toISOString()));
  expect(issuer.requests[0]).toEqual({
    path: "/api/accounts/deviceauth/usercode",
    contentType: "application/json",
    fields: { client_id: "app_test" },
  });
  expect(issuer.requests.at(-1)?.fields).toEqual({
    grant_type: "authorization_code",
    code: "code-2",
    redirect_uri: `${issuer.issuer.url}/deviceauth/callback`,
    client_id: "app_test",
    code_verifier: "device-verifier",
  });
});

test.each([
  ["0", 1000],
  [7, 7000],
  ["soon", 5000],
  [undefined, 5000],
  [100_000, 60_000],
])("asked to come back every %j seconds it does so within reason", async (interval, wait) => {
  await using issuer = await startIssuer();
  await using dir = await makeHome();
  const clock = quickClock();
  issuer.pendingPolls = 1;
  const body = { device_auth_id: "device-1", usercode: "ABCD-1234", interval };
  issuer.next.push({ status: 200, body });

  const login = await startDeviceLogin(partsOf(dir.home, issuer.issuer, clock));

  expect((await login.done).ok).toBe(true);
  expect(clock.waits).toEqual([wait]);
});

test("an issuer that is busy or away for a moment is asked again", async () => {
  await using issuer = await startIssuer();
  await using dir = await makeHome();
  const login = startDeviceLogin(partsOf(dir.home, issuer.issuer, quickClock()));
  const first = { device_auth_id: "device-1", user_code: "ABCD-1234", interval: 1 };
  issuer.next.push({ status: 200, body: first }, { status: 503 }, { status: 429 });
  issuer.next.push({ status: 0, cut: true });

  expect((await (await login).done).ok).toBe(true);
});

test("the code expires after a quarter of an hour", async () => {
  await using issuer = await startIssuer();
  await using dir = await makeHome();
  const clock = quickClock();
  issuer.pendingPolls = 1_000;

  const login = await startDeviceLogin(partsOf(dir.home, issuer.issuer, clock));

  expect(await login.done).toEqual({
    ok: false,
    reason: "timed_out",
    error: "device auth timed out after 15 minutes",
  });
  expect(clock.now()).toBe(login.expiresAt);
  expect(await readdir(dir.home)).toEqual([]);
});

test("a login that is cancelled asks no more and stores nothing", async () => {
  await using issuer = await startIssuer();
  await using dir = await makeHome();
  issuer.pendingPolls = 1_000;
  const login = await startDeviceLogin(partsOf(dir.home, issuer.issuer, quickClock()));

  login.cancel();

  expect(await login.done).toEqual({
    ok: false,
    reason: "cancelled",
    error: "Login was not completed",
  });
  expect(await readdir(dir.home)).toEqual([]);
});

test.each([
  [{ status: 404 }, "does not offer sign-in by device code"],
  [{ status: 500 }, "device code request failed with status 500"],
  [{ status: 200, body: {} }, "the login server returned no device code"],
])("reports an issuer that returns no code: %j", async (answer, message) => {
  await using issuer = await startIssuer();
  await using dir = await makeHome();
  issuer.next.push(answer);

  const login = startDeviceLogin(partsOf(dir.home, issuer.issuer, quickClock()));

  await expect(login).rejects.toThrow(message);
});

test.each([
  [{ status: 400 }, "device auth failed with status 400"],
  [{ status: 200, body: { code_verifier: "secret" } }, "returned no authorization code"],
])("reports an issuer that returns no tokens: %j", async (answer, message) => {
  await using issuer = await startIssuer();
  await using dir = await makeHome();
  const first = { device_auth_id: "device-1", user_code: "ABCD-1234" };
  issuer.next.push({ status: 200, body: first }, answer);

  const login = await startDeviceLogin(partsOf(dir.home, issuer.issuer, quickClock()));

  expect(await login.done).toEqual({
    ok: false,
    reason: "failed",
    error: expect.stringContaining(message),
  });
});
