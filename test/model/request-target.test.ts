import { describe, expect, test } from "vitest";
import {
  chooseAuth,
  clientHeaders,
  isAzure,
  requestHeaders,
  requestUrl,
} from "../../src/model/request-target.js";
import { scriptedProvider } from "../../src/model/scripted/index.js";
import type { ModelAuthSource, ModelProvider } from "../../src/model/types.js";
import { behaviorOf, promptOf } from "../support/model.js";

const { base_url: _, ...provider } = scriptedProvider;

test("a request goes below the provider's base, with its query as it is", () => {
  const query_params = { "api-version": "2025-04-01-preview", x: "a b" };

  expect(requestUrl({ ...provider, base_url: "https://x/openai/", query_params }, undefined)).toBe(
    "https://x/openai/responses?api-version=2025-04-01-preview&x=a b",
  );
});

test("without a base it goes where the login belongs", () => {
  expect(requestUrl(provider, { kind: "api_key", token: "k" })).toBe(
    "https://api.openai.com/v1/responses",
  );
  expect(requestUrl(provider, { kind: "chatgpt", token: "t" })).toBe(
    "https://chatgpt.com/backend-api/codex/responses",
  );
});

test.each([
  ["test", "https://foo.openai.azure.com/openai", true],
  ["test", "https://foo.cognitiveservices.azure.cn/openai", true],
  ["test", "https://foo.aoai.azure.com/openai", true],
  ["test", "https://foo.openai.azure-api.net/openai", true],
  ["test", "https://foo.z01.azurefd.net/", true],
  ["AZURE", "https://example.com", true],
  ["test", "https://api.openai.com/v1", false],
  ["test", "https://myproxy.azurewebsites.net/openai", false],
])("%s at %s is Azure: %s", (name, base_url, expected) => {
  expect(isAzure({ name, base_url, wire_api: "responses" })).toBe(expected);
  expect(isAzure({ name, base_url, wire_api: "chat" })).toBe(false);
});

const login: ModelAuthSource = {
  current: async () => ({ kind: "chatgpt", token: "login-token" }),
  refresh: async () => false,
};
const noLogin: ModelAuthSource = { current: async () => undefined, refresh: async () => false };
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

test("with neither, the failure names the variable to set", async () => {
  const provider = { ...withKey, env_key_instructions: "Get one at example.com." };

  expect(await chooseAuth({ provider: provider, env: {}, source: noLogin })).toEqual({
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
  expect(await chooseAuth({ provider: openai, env: {}, source: noLogin })).toEqual({
    auth: undefined,
    byLogin: false,
  });
  expect(await chooseAuth({ provider: openai, env: {}, source: undefined })).toEqual({
    auth: undefined,
    byLogin: false,
  });
});

test("a login that cannot be used is a failure with its message", async () => {
  const broken: ModelAuthSource = {
    current: () => Promise.reject(new Error("auth.json is not JSON")),
    refresh: async () => false,
  };

  expect(await chooseAuth({ provider: openai, env: {}, source: broken })).toEqual({
    failure: { kind: "auth", message: "auth.json is not JSON", retryable: false },
  });
});

const behavior = behaviorOf("0.42");

function commonHeaders(provider: Partial<ModelProvider> = {}, env: Record<string, string> = {}) {
  const parts = { behavior, env, originator: "codex_cli_rs", userAgent: "agent/1" };
  return clientHeaders({ ...parts, provider: { ...scriptedProvider, ...provider } });
}

describe("the headers of a request", () => {
  test("are those of 0.42 in its dialect", () => {
    expect(requestHeaders(commonHeaders(), promptOf(), undefined, behavior)).toEqual({
      "content-type": "application/json",
      accept: "text/event-stream",
      originator: "codex_cli_rs",
      "user-agent": "agent/1",
      "openai-beta": "responses=experimental",
      conversation_id: "conversation-1",
      session_id: "conversation-1",
    });
  });

  test("are fewer in the dialect of 0.104", () => {
    const later = behaviorOf("0.104");
    const parts = { provider: scriptedProvider, env: {}, originator: "o", userAgent: "u" };
    const headers = requestHeaders(
      clientHeaders({ ...parts, behavior: later }),
      promptOf({ headers: { "X-Codex-Turn-Metadata": "{}" } }),
      undefined,
      later,
    );

    expect(headers).toEqual({
      "content-type": "application/json",
      accept: "text/event-stream",
      originator: "o",
      "user-agent": "u",
      session_id: "conversation-1",
      "x-codex-turn-metadata": "{}",
    });
  });

  test("carry the key, and the account of a ChatGPT login", () => {
    const byKey = requestHeaders({}, promptOf(), { kind: "api_key", token: "k" }, behavior);
    const byLogin = requestHeaders(
      {},
      promptOf(),
      { kind: "chatgpt", token: "t", accountId: "a" },
      behavior,
    );

    expect(byKey).toMatchObject({ authorization: "Bearer k" });
    expect(byKey).not.toHaveProperty("chatgpt-account-id");
    expect(byLogin).toMatchObject({ authorization: "Bearer t", "chatgpt-account-id": "a" });
  });

  test("include those of the provider, from its config and from the environment", () => {
    const headers = commonHeaders(
      {
        http_headers: { "Custom-Header": "Value", "User-Agent": "mine" },
        env_http_headers: { "X-Project": "PROJECT", "X-Empty": "EMPTY", "X-Unset": "UNSET" },
      },
      { PROJECT: "p1", EMPTY: "  " },
    );

    expect(headers).toMatchObject({
      "custom-header": "Value",
      "user-agent": "mine",
      "x-project": "p1",
    });
    expect(Object.keys(headers)).not.toEqual(expect.arrayContaining(["x-empty"]));
    expect(Object.keys(headers)).not.toEqual(expect.arrayContaining(["x-unset"]));
  });

  test("omit invalid headers", () => {
    const headers = commonHeaders({ http_headers: { "bad name": "x", good: "a\r\nevil: 1" } });

    expect(Object.keys(headers)).not.toContain("bad name");
    expect(Object.keys(headers)).not.toContain("good");
  });
});
