import { expect, test } from "vitest";
import { chooseAuth } from "../../src/model/choose-auth.js";
import { scriptedProvider } from "../../src/model/scripted/index.js";
import type { ModelAuthSource } from "../../src/model/types.js";

const login: ModelAuthSource = {
  current: async () => ({ kind: "chatgpt", token: "login-token" }),
  refresh: async () => false,
};
const nobody: ModelAuthSource = { current: async () => undefined, refresh: async () => false };
const withKey = { ...scriptedProvider, env_key: "SOME_KEY" };
const openai = { ...scriptedProvider, requires_openai_auth: true };

test("the provider's own variable wins over a login", async () => {
  expect(
    await chooseAuth({ provider: withKey, env: { SOME_KEY: " k1\n" }, source: login }),
  ).toEqual({
    auth: { kind: "api_key", token: "k1" },
    byLogin: false,
  });
});

test("a login is not sent to a provider whose variable is not set, but in eras that did so", async () => {
  const options = { provider: withKey, env: { SOME_KEY: "  " }, source: login };

  expect(await chooseAuth(options)).toMatchObject({
    failure: { kind: "auth", message: "Missing environment variable: `SOME_KEY`." },
  });
  expect(await chooseAuth({ ...options, loginReplacesKey: true })).toEqual({
    auth: { kind: "chatgpt", token: "login-token" },
    byLogin: true,
  });
});

test("with neither, the user is told which variable to set and how", async () => {
  const provider = { ...withKey, env_key_instructions: "Get one at example.com." };

  expect(await chooseAuth({ provider: provider, env: {}, source: nobody })).toEqual({
    failure: {
      kind: "auth",
      message: "Missing environment variable: `SOME_KEY`. Get one at example.com.",
      retryable: false,
    },
  });
});

test("a login is not shown to a provider that does not ask for it", async () => {
  expect(await chooseAuth({ provider: scriptedProvider, env: {}, source: login })).toEqual({
    auth: undefined,
    byLogin: false,
  });
  expect(await chooseAuth({ provider: openai, env: {}, source: login })).toMatchObject({
    byLogin: true,
  });
});

test("a provider that asks for a login is asked without one when there is none", async () => {
  expect(await chooseAuth({ provider: openai, env: {}, source: nobody })).toEqual({
    auth: undefined,
    byLogin: false,
  });
  expect(await chooseAuth({ provider: openai, env: {}, source: undefined })).toEqual({
    auth: undefined,
    byLogin: false,
  });
});

test("a login in trouble is a failure in its own words", async () => {
  const broken: ModelAuthSource = {
    current: () => Promise.reject(new Error("auth.json is not JSON")),
    refresh: async () => false,
  };

  expect(await chooseAuth({ provider: openai, env: {}, source: broken })).toEqual({
    failure: { kind: "auth", message: "auth.json is not JSON", retryable: false },
  });
});
