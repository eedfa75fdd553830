import { chmod, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Keyring } from "../../src/auth/keyring.js";
import { authStatus, loginOf } from "../../src/auth/login.js";
import { loginWithApiKey, logout } from "../../src/auth/save-login.js";
import { fileStore, openAuthStore } from "../../src/auth/store.js";
import { toJwt } from "../support/issuer.js";
import { chatgptFile, makeHome } from "./home.js";

test("signing in with a key leaves nothing of the login before", async () => {
  await using dir = await makeHome({ ...chatgptFile(), other: 1 });
  await chmod(dir.path, 0o666);

  await loginWithApiKey({ home: dir.home, store: fileStore(dir.home) }, " sk-new\n");

  expect(await dir.stored()).toEqual({ OPENAI_API_KEY: "sk-new" });
  expect(await dir.mode()).toBe(0o600);
  expect(await readdir(dir.home)).toEqual(["auth.json"]);
});

test.each(["", "  \n", "sk one", "sk-é"])("%j is no key", async (key) => {
  await using dir = await makeHome();

  const login = loginWithApiKey({ home: dir.home, store: fileStore(dir.home) }, key);

  await expect(login).rejects.toThrow(/^The API key /);
  expect(await readdir(dir.home)).toEqual([]);
});

test("signing out removes the login, also a broken one", async () => {
  await using dir = await makeHome();
  const place = { home: dir.home, store: fileStore(dir.home) };
  await writeFile(dir.path, "{broken");

  expect(await logout(place)).toBe(true);
  expect(await logout(place)).toBe(false);
  expect(await readdir(dir.home)).toEqual([]);
});

test("a key takes precedence over tokens, unless auth_mode is chatgpt", () => {
  const both = { ...chatgptFile(), OPENAI_API_KEY: "sk-x" };

  expect(loginOf(both)?.kind).toBe("api_key");
  expect(loginOf({ ...both, auth_mode: "chatgpt" })?.kind).toBe("chatgpt");
  expect(loginOf({ ...both, auth_mode: "apikey" })?.kind).toBe("api_key");
  expect(loginOf({ auth_mode: "chatgpt", OPENAI_API_KEY: "sk-x" })?.kind).toBe("api_key");
  expect(loginOf({ OPENAI_API_KEY: "  " })).toBeUndefined();
  expect(loginOf({ OPENAI_API_KEY: null })).toBeUndefined();
});

test("the status names the account without secrets", () => {
  expect(authStatus(chatgptFile())).toEqual({
    method: "chatgpt",
    email: "user@example.com",
    planType: "pro",
    accountId: "account-1",
  });
  expect(authStatus({ OPENAI_API_KEY: "sk-proj-1234567890ABCDE" })).toEqual({
    method: "apikey",
    shownKey: "sk-proj-***ABCDE",
  });
  expect(authStatus({ OPENAI_API_KEY: "sk-short-1234" })).toEqual({
    method: "apikey",
    shownKey: "***",
  });
  expect(authStatus(undefined)).toBeUndefined();
});

test.each([
  ["no token", "rubbish"],
  ["a payload that is not JSON", "a.b.c"],
  ["claims of the wrong kind", toJwt({ email: 7, "https://api.openai.com/auth": [] })],
])("%s tells nothing about the user", (_, id_token) => {
  const file = { tokens: { id_token, access_token: "x" } };

  expect(authStatus(file)).toEqual({ method: "chatgpt" });
});

test("the email may be in the profile claims", () => {
  const id_token = toJwt({ "https://api.openai.com/profile": { email: "p@example.com" } });

  expect(authStatus({ tokens: { id_token, access_token: "x" } })).toEqual({
    method: "chatgpt",
    email: "p@example.com",
  });
});

/** A keyring in memory; `broken` ones are installed but do not work. */
function fakeKeyring(broken = false): { keyring: Keyring; passwords: Map<string, string> } {
  const passwords = new Map<string, string>();
  const keyring: Keyring = {
    entry(service, account) {
      const name = `${service}/${account}`;
      const work = <T>(run: () => T): Promise<T> =>
        broken ? Promise.reject(new Error("no secret service")) : Promise.resolve(run());
      return {
        get: () => work(() => passwords.get(name)),
        set: (password) => work(() => void passwords.set(name, password)),
        remove: () => work(() => passwords.delete(name)),
      };
    },
  };
  return { keyring, passwords };
}

test.each(["keyring", "auto"] as const)("%s keeps the login in the keyring alone", async (mode) => {
  await using dir = await makeHome({ OPENAI_API_KEY: "sk-old" });
  const { keyring, passwords } = fakeKeyring();
  const store = await openAuthStore({ home: dir.home, mode, loadKeyring: async () => keyring });

  await loginWithApiKey({ home: dir.home, store }, "sk-1");

  expect([...passwords.keys()]).toEqual([expect.stringMatching(/^Codex Auth\/cli\|[0-9a-f]{16}$/)]);
  expect(await readdir(dir.home)).toEqual([]);
  expect(await store.read()).toEqual({ OPENAI_API_KEY: "sk-1" });
  expect(await logout({ home: dir.home, store })).toBe(true);
  expect(passwords.size).toBe(0);
});

test.each([
  ["is not installed", async () => undefined],
  ["does not work", async () => fakeKeyring(true).keyring],
])("auto uses the file where the keyring %s", async (_, loadKeyring) => {
  await using dir = await makeHome();
  const store = await openAuthStore({ home: dir.home, mode: "auto", loadKeyring });

  await loginWithApiKey({ home: dir.home, store }, "sk-1");

  expect(await dir.stored()).toEqual({ OPENAI_API_KEY: "sk-1" });
  expect(await store.read()).toEqual({ OPENAI_API_KEY: "sk-1" });
  expect(await logout({ home: dir.home, store })).toBe(true);
});

test("a keyring that is asked for must be there and must work", async () => {
  await using dir = await makeHome();
  const open = (keyring: Keyring | undefined) =>
    openAuthStore({ home: dir.home, mode: "keyring", loadKeyring: async () => keyring });

  await expect(open(undefined)).rejects.toThrow("@napi-rs/keyring is not installed");
  const store = await open(fakeKeyring(true).keyring);
  await expect(store.read()).rejects.toThrow(
    "Could not read from the system's keyring: no secret service",
  );
  await expect(store.write({})).rejects.toThrow("Could not write to the system's keyring");
});

test("an ephemeral login leaves nothing on the disk", async () => {
  await using dir = await makeHome();
  const store = await openAuthStore({ home: dir.home, mode: "ephemeral" });

  await loginWithApiKey({ home: dir.home, store }, "sk-1");

  expect(await store.read()).toEqual({ OPENAI_API_KEY: "sk-1" });
  expect(await readdir(dir.home)).toEqual([]);
  expect(await logout({ home: dir.home, store })).toBe(true);
  expect(await store.read()).toBeUndefined();
});

test("logins of two homes do not share an entry of the keyring", async () => {
  await using dir = await makeHome();
  const { keyring, passwords } = fakeKeyring();
  for (const name of ["a", "b"]) {
    const home = join(dir.home, name);
    const store = await openAuthStore({ home, mode: "keyring", loadKeyring: async () => keyring });
    await store.write({ OPENAI_API_KEY: name });
  }

  expect(passwords.size).toBe(2);
});
