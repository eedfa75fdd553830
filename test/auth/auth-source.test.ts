import { expect, test } from "vitest";
import {
  type AuthSource,
  codexApiKey,
  GivenTokens,
  givenKey,
  layeredSource,
} from "../../src/auth/auth-source.js";
import { toJwt } from "../support/issuer.js";

const stored: AuthSource = {
  current: async () => ({ kind: "api_key", token: "stored" }),
  refresh: async () => true,
};

test("client-provided tokens take precedence until they are cleared", async () => {
  const given = new GivenTokens();
  const source = layeredSource(given, stored);

  expect(await source.current()).toEqual({ kind: "api_key", token: "stored" });
  given.set({ accessToken: "t", accountId: "a", planType: "pro" }, async () => undefined);
  expect(await source.current()).toEqual({
    kind: "chatgpt",
    token: "t",
    accountId: "a",
    planType: "pro",
  });
  expect(await source.refresh()).toBe(false);
  given.clear();

  expect(await source.current()).toEqual({ kind: "api_key", token: "stored" });
  expect(await source.refresh()).toBe(true);
});

test("account, plan and email come from the token if the client names none", () => {
  const given = new GivenTokens();
  const accessToken = toJwt({
    email: "me@example.com",
    "https://api.openai.com/auth": { chatgpt_account_id: "acc", chatgpt_plan_type: "plus" },
  });

  given.set({ accessToken }, async () => undefined);

  expect(given.current).toEqual({
    kind: "chatgpt",
    token: accessToken,
    accountId: "acc",
    planType: "plus",
  });
  expect(given.email).toBe("me@example.com");
});

test("concurrent rejections ask the client once", async () => {
  const given = new GivenTokens();
  const asked: unknown[] = [];
  given.set({ accessToken: "old", accountId: "a" }, async (previous) => {
    asked.push(previous);
    return { accessToken: "new", accountId: "a" };
  });

  expect(await Promise.all([given.refresh(), given.refresh()])).toEqual([true, true]);

  expect(asked).toEqual(["a"]);
  expect(given.current?.token).toBe("new");
});

test("the same token again is no refresh, but tokens set meanwhile are", async () => {
  const same = new GivenTokens();
  same.set({ accessToken: "t" }, async () => ({ accessToken: "t" }));
  const replaced = new GivenTokens();
  replaced.set({ accessToken: "old" }, async () => {
    replaced.set({ accessToken: "other" }, async () => undefined);
    return undefined;
  });

  expect(await same.refresh()).toBe(false);
  expect(await replaced.refresh()).toBe(true);
  expect(replaced.current?.token).toBe("other");
});

test("a given key signs every request, unless only ChatGPT logins are allowed", async () => {
  expect(await givenKey("k", undefined).current()).toEqual({ kind: "api_key", token: "k" });
  expect(await givenKey("k", "api").refresh()).toBe(false);
  await expect(givenKey("k", "chatgpt").current()).rejects.toThrow(
    'forced_login_method = "chatgpt"',
  );
});

test.each([
  [{ CODEX_API_KEY: " k " }, "k"],
  [{ CODEX_API_KEY: " " }, undefined],
  [{ OPENAI_API_KEY: "k" }, undefined],
])("with %j the key of a run is %j", (env, key) => {
  expect(codexApiKey(env)).toBe(key);
});
