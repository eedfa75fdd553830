import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { describe, expect, test } from "vitest";
import { postDirectly } from "../../src/auth/http.js";
import { logout, TokenSource, type TokenSourceOptions } from "../../src/auth/index.js";
import { issuerOf } from "../../src/auth/issuer.js";
import { fileStore } from "../../src/auth/store.js";
import type { ModelAuthSource } from "../../src/model/types.js";
import { bundleProgram } from "../support/bundle-program.js";
import { type FakeIssuer, startIssuer } from "../support/issuer.js";
import { chatgptFile, makeHome, now, quickClock } from "./home.js";

function sourceOf(home: string, options: Partial<TokenSourceOptions> = {}): TokenSource {
  return new TokenSource({
    home,
    store: fileStore(home),
    issuer: issuerOf({}, { url: "http://127.0.0.1:1" }),
    http: postDirectly,
    clock: quickClock(),
    env: {},
    ...options,
  });
}

const old = "2026-01-03T10:00:00.000Z"; // 29 days
const young = "2026-01-05T10:00:00.000Z"; // 27 days

describe("the login of a request", () => {
  test("is read from the store each time", async () => {
    await using dir = await makeHome(chatgptFile());
    const source: ModelAuthSource = sourceOf(dir.home);

    expect(await source.current()).toEqual({
      kind: "chatgpt",
      token: "access-0",
      accountId: "account-1",
      planType: "pro",
    });
    await dir.write({ OPENAI_API_KEY: "sk-1" });
    expect(await source.current()).toEqual({ kind: "api_key", token: "sk-1" });
    await rm(dir.path);
    expect(await source.current()).toBeUndefined();
  });

  test("is OPENAI_API_KEY only if signed out and enabled", async () => {
    await using dir = await makeHome();
    const env = { OPENAI_API_KEY: "sk-env" };
    const source = sourceOf(dir.home, { env, openaiApiKey: true });

    expect(await source.current()).toEqual({ kind: "api_key", token: "sk-env" });
    expect(await source.refresh()).toBe(false);
    expect(await sourceOf(dir.home, { env }).current()).toBeUndefined();
    await dir.write({ OPENAI_API_KEY: "sk-stored" });
    expect(await source.current()).toEqual({ kind: "api_key", token: "sk-stored" });
  });

  test("rejects for a broken file", async () => {
    await using dir = await makeHome([]);

    await expect(sourceOf(dir.home).current()).rejects.toThrow("cannot be read");
  });
});

describe("a refused token", () => {
  test("is renewed once and stored with all else that was in the file", async () => {
    await using issuer = await startIssuer();
    await using dir = await makeHome({ ...chatgptFile(), later: 1 });
    const source = sourceOf(dir.home, { issuer: issuer.issuer });
    await source.current();

    expect(await source.refresh()).toBe(true);

    expect((await source.current())?.token).toBe("access-1");
    expect(issuer.requests).toEqual([
      {
        path: "/oauth/token",
        contentType: "application/json",
        fields: {
          client_id: "app_test",
          grant_type: "refresh_token",
          refresh_token: "refresh-0",
          scope: "openid profile email",
        },
      },
    ]);
    expect(await dir.stored()).toEqual({
      ...chatgptFile(),
      tokens: {
        ...chatgptFile().tokens,
        access_token: "access-1",
        refresh_token: "refresh-1",
      },
      last_refresh: new Date(now).toISOString(),
      later: 1,
    });
    expect(await dir.mode()).toBe(0o600);
    expect(await readdir(dir.home)).toEqual(["auth.json"]);
  });

  test("of a source that was not asked before is renewed too", async () => {
    await using issuer = await startIssuer();
    await using dir = await makeHome(chatgptFile());

    expect(await sourceOf(dir.home, { issuer: issuer.issuer }).refresh()).toBe(true);

    expect(issuer.requests).toHaveLength(1);
  });

  test("retains tokens that the issuer does not change", async () => {
    await using issuer = await startIssuer();
    await using dir = await makeHome(chatgptFile());
    issuer.next.push({ status: 200, body: { access_token: "access-9", refresh_token: null } });

    expect(await sourceOf(dir.home, { issuer: issuer.issuer }).refresh()).toBe(true);

    expect(await dir.stored()).toMatchObject({
      tokens: { ...chatgptFile().tokens, access_token: "access-9" },
    });
  });

  test("is renewed at the address the environment names", async () => {
    await using issuer = await startIssuer();
    await using dir = await makeHome(chatgptFile());
    const refreshUrl = `${issuer.issuer.url}/oauth/token`;
    const chosen = issuerOf({ CODEX_REFRESH_TOKEN_URL_OVERRIDE: refreshUrl });

    expect(await sourceOf(dir.home, { issuer: chosen }).refresh()).toBe(true);

    expect(chosen).toMatchObject({ url: "https://auth.openai.com", refreshUrl });
  });

  test("that is a key is replaced only by another key", async () => {
    await using dir = await makeHome({ OPENAI_API_KEY: "sk-1" });
    const source = sourceOf(dir.home);
    await source.current();

    expect(await source.refresh()).toBe(false);
    await dir.write({ OPENAI_API_KEY: "sk-2" });
    expect(await source.refresh()).toBe(true);
  });

  test("is not brought back after the user has signed out", async () => {
    await using issuer = await startIssuer();
    await using dir = await makeHome(chatgptFile());
    const source = sourceOf(dir.home, { issuer: issuer.issuer });
    await source.current();
    await logout({ home: dir.home, store: fileStore(dir.home) });

    expect(await source.refresh()).toBe(false);

    expect(source.failure?.reason).toBe("signed_out");
    expect(issuer.requests).toEqual([]);
    expect(await readdir(dir.home)).toEqual([]);
  });

  test("being renewed while the user signs out stays gone", async () => {
    await using issuer = await startIssuer();
    await using dir = await makeHome(chatgptFile());
    const source = sourceOf(dir.home, { issuer: issuer.issuer });
    let out: Promise<boolean> | undefined;
    issuer.beforeRenewal = async () => {
      out = logout({ home: dir.home, store: fileStore(dir.home) });
    };

    await source.refresh();

    expect(await out).toBe(true);
    expect(await readdir(dir.home)).toEqual([]);
  });

  test("continues in memory if the refreshed one cannot be stored", async () => {
    await using issuer = await startIssuer();
    await using dir = await makeHome(chatgptFile());
    const store = fileStore(dir.home);
    const write = async () => Promise.reject(new Error("no space left"));
    const source = sourceOf(dir.home, { issuer: issuer.issuer, store: { ...store, write } });
    await source.current();

    expect(await source.refresh()).toBe(true);
    expect((await source.current())?.token).toBe("access-1");
    expect(await source.refresh()).toBe(true);
    expect((await source.current())?.token).toBe("access-2");
  });
});

describe("tokens", () => {
  test.each([
    [old, 1, "access-1"],
    [young, 0, "access-0"],
    ["not a time", 0, "access-0"],
  ])("of %s are renewed %i times before they are used", async (time, renewals, token) => {
    await using issuer = await startIssuer();
    await using dir = await makeHome(chatgptFile(time));
    const source = sourceOf(dir.home, { issuer: issuer.issuer });

    expect((await source.current())?.token).toBe(token);
    expect((await source.current())?.token).toBe(token);

    expect(issuer.granted("refresh_token")).toHaveLength(renewals);
  });

  test("that are merely old are used when they cannot be renewed, for a while unasked", async () => {
    await using issuer = await startIssuer();
    await using dir = await makeHome(chatgptFile(old));
    const clock = quickClock();
    const source = sourceOf(dir.home, { issuer: issuer.issuer, clock });
    issuer.next.push({ status: 503 });

    expect((await source.current())?.token).toBe("access-0");
    expect((await source.current())?.token).toBe("access-0");
    expect(issuer.requests).toHaveLength(1);
    await clock.sleep(60_000, new AbortController().signal);
    expect((await source.current())?.token).toBe("access-1");
  });
});

describe("a renewal that fails", () => {
  const cases: [string, FakeIssuer["next"][number], string, boolean][] = [
    ["expired", { status: 401, body: { error: { code: "refresh_token_expired" } } }, "", true],
    ["reused", { status: 401, body: { error: "REFRESH_TOKEN_REUSED" } }, "", true],
    ["revoked", { status: 401, body: { code: "refresh_token_invalidated" } }, "", true],
    ["refused", { status: 401, body: { error: { code: "secret-access-0 <b>" } } }, "", true],
    ["refused", { status: 400, body: { error: "invalid_grant" } }, "", true],
    ["unavailable", { status: 500, body: "access-0" }, "status 500", false],
    ["unavailable", { status: 200, body: {} }, "returned no tokens", false],
    ["unavailable", { status: 0, cut: true }, "socket hang up", false],
  ];

  test.each(cases)("is reported as %s", async (reason, answer, text, final) => {
    await using issuer = await startIssuer();
    await using dir = await makeHome(chatgptFile());
    const source = sourceOf(dir.home, { issuer: issuer.issuer });
    issuer.next.push(answer);

    expect(await source.refresh()).toBe(false);

    expect(source.failure).toMatchObject({ reason, final });
    expect(source.failure?.message).toContain(final ? "Sign in again with `quire login`" : text);
    expect(source.failure?.message).not.toMatch(/access-0|refresh-0/);
    expect(await dir.stored()).toEqual(chatgptFile());
  });

  test("for good is not asked for again, until there is another login", async () => {
    await using issuer = await startIssuer();
    await using dir = await makeHome(chatgptFile());
    const source = sourceOf(dir.home, { issuer: issuer.issuer });
    issuer.next.push({ status: 401, body: { error: { code: "refresh_token_expired" } } });

    expect([await source.refresh(), await source.refresh()]).toEqual([false, false]);
    expect(source.failure?.reason).toBe("expired");
    expect(issuer.requests).toHaveLength(1);

    const { tokens } = chatgptFile();
    await dir.write({ tokens: { ...tokens, access_token: "new" } });
    await source.current();
    await dir.write({ tokens: { ...tokens, access_token: "newer" } });
    expect(await source.refresh()).toBe(true);
    expect(source.failure).toBeUndefined();
  });

  test("for want of a place for the lock spends no token", async () => {
    await using issuer = await startIssuer();
    await using dir = await makeHome();
    const home = join(dir.home, "closed");
    await mkdir(join(home, "auth.json.lock"), { recursive: true });
    await fileStore(home).write(chatgptFile());
    const http = async () => expect.fail("the issuer was asked");
    const source = sourceOf(home, { issuer: issuer.issuer, http });

    expect(await source.refresh()).toBe(false);

    expect(source.failure?.reason).toBe("unavailable");
  });
});

test("sessions of one process whose token was refused renew it once", async () => {
  await using issuer = await startIssuer();
  await using dir = await makeHome(chatgptFile());
  const sources = Array.from({ length: 8 }, () => sourceOf(dir.home, { issuer: issuer.issuer }));
  await Promise.all(sources.map((source) => source.current()));

  const renewed = await Promise.all(sources.map((source) => source.refresh()));

  expect(renewed).toEqual(sources.map(() => true));
  expect(issuer.requests).toHaveLength(1);
});

test("several programs whose token was refused at once renew it once", async () => {
  await using issuer = await startIssuer();
  await using dir = await makeHome(chatgptFile(new Date().toISOString()));
  const program = await bundleProgram(join(import.meta.dirname, "refresher.ts"), dir.home);
  const sessions = Array.from({ length: 4 }, () =>
    spawn(process.execPath, [program, dir.home, issuer.issuer.url], {
      stdio: ["pipe", "pipe", "inherit"],
    }),
  );
  const lines = sessions.map(({ stdout }) =>
    createInterface({ input: stdout })[Symbol.asyncIterator](),
  );
  const nextLines = () => Promise.all(lines.map(async (line) => String((await line.next()).value)));
  expect(await nextLines()).toEqual(sessions.map(() => "ready"));

  for (const { stdin } of sessions) stdin.write("go\n");

  const told = (await nextLines()).map((line) => JSON.parse(line));
  await Promise.all(sessions.map((child) => child.exitCode ?? once(child, "exit")));
  expect(told).toEqual(
    sessions.map(() => ({ before: "access-0", renewed: true, after: "access-1" })),
  );
  expect(issuer.granted("refresh_token")).toHaveLength(1);
  expect((await readdir(dir.home)).sort()).toEqual(["auth.json", "refresher.mjs"]);
});
