import { mkdtemp, readdir, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import {
  fileTokenStore,
  type StoredLogin,
  toLogin,
  userTokenStore,
} from "../../../src/mcp/oauth/token-store.js";

const login: StoredLogin = {
  server: "my server",
  url: "https://example.com/mcp",
  issuer: "https://login.example",
  client_id: "c",
  access_token: "a",
};

async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "quire-tokens-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

test("stores a login per server and URL, for the user alone", async () => {
  const folder = join(await temporaryFolder(), "logins");
  const store = fileTokenStore(folder);
  const elsewhere = { ...login, url: "https://other.example/mcp", access_token: "b" };
  await store.write(login);
  await store.write(elsewhere);

  const names = await readdir(folder);

  expect(await store.read(login)).toEqual(login);
  expect(await store.read(elsewhere)).toEqual(elsewhere);
  expect(await store.read({ server: "none", url: login.url })).toBeUndefined();
  expect(names).toHaveLength(2);
  for (const name of names) {
    expect(name).toMatch(/^my_server-[0-9a-f]{16}\.json$/);
    expect((await stat(join(folder, name))).mode & 0o777).toBe(0o600);
  }
  expect((await stat(folder)).mode & 0o777).toBe(0o700);
});

test("removes a login once", async () => {
  const store = userTokenStore(await temporaryFolder());
  await store.write(login);

  expect(await store.remove(login)).toBe(true);
  expect(await store.remove(login)).toBe(false);
  expect(await store.read(login)).toBeUndefined();
});

test.each([
  ["invalid JSON", "{broken"],
  ["null", "null"],
  ["another server", JSON.stringify({ ...login, server: "x" })],
  ["another URL", JSON.stringify({ ...login, url: "https://x.example" })],
  ["a token that is not text", JSON.stringify({ ...login, access_token: 7 })],
  ["a missing issuer", JSON.stringify({ ...login, issuer: undefined })],
])("a file with %s is no login", async (_name, text) => {
  const folder = await temporaryFolder();
  const store = fileTokenStore(folder);
  await store.write(login);
  const [name = ""] = await readdir(folder);
  await writeFile(join(folder, name), text);

  expect(await store.read(login)).toBeUndefined();
});

test("only one caller at a time changes a login", async () => {
  const store = fileTokenStore(await temporaryFolder());
  const log: string[] = [];
  const change = (name: string) =>
    store.exclusively(login, async () => {
      log.push(`${name} starts`);
      await new Promise((resolve) => setImmediate(resolve));
      log.push(`${name} ends`);
      return name;
    });

  expect(await Promise.all([change("a"), change("b")])).toEqual(["a", "b"]);
  expect([log[0]?.[0], log[1]]).toEqual([log[1]?.[0], `${log[0]?.[0]} ends`]);
});

test("new tokens replace the old ones, and omitted fields are retained", () => {
  const old = { ...login, refresh_token: "r", scope: "s", expires_at: 5 };

  expect(toLogin(old, { access_token: "new", token_type: "bearer" }, 1_000)).toEqual({
    ...login,
    access_token: "new",
    refresh_token: "r",
    scope: "s",
  });
  const full = {
    access_token: "n",
    token_type: "b",
    expires_in: 60,
    refresh_token: "r2",
    scope: "t",
  };
  expect(toLogin(old, full, 1_000)).toEqual({
    ...login,
    access_token: "n",
    refresh_token: "r2",
    scope: "t",
    expires_at: 61_000,
  });
});
