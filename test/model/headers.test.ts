import { describe, expect, test } from "vitest";
import { clientHeaders, requestHeaders } from "../../src/model/headers.js";
import { scriptedProvider } from "../../src/model/scripted/index.js";
import type { ModelProvider } from "../../src/model/types.js";
import { dialectOf, promptOf } from "../support/model.js";

const dialect = dialectOf("0.42");

function commonHeaders(provider: Partial<ModelProvider> = {}, env: Record<string, string> = {}) {
  const parts = { dialect, env, originator: "codex_cli_rs", userAgent: "agent/1" };
  return clientHeaders({ ...parts, provider: { ...scriptedProvider, ...provider } });
}

describe("the headers of a request", () => {
  test("are those of 0.42 in its dialect", () => {
    expect(requestHeaders(commonHeaders(), promptOf(), undefined, dialect)).toEqual({
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
    const later = dialectOf("0.104");
    const parts = { provider: scriptedProvider, env: {}, originator: "o", userAgent: "u" };
    const headers = requestHeaders(
      clientHeaders({ ...parts, dialect: later }),
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
    const byKey = requestHeaders({}, promptOf(), { kind: "api_key", token: "k" }, dialect);
    const byLogin = requestHeaders(
      {},
      promptOf(),
      { kind: "chatgpt", token: "t", accountId: "a" },
      dialect,
    );

    expect(byKey).toMatchObject({ authorization: "Bearer k" });
    expect(byKey).not.toHaveProperty("chatgpt-account-id");
    expect(byLogin).toMatchObject({ authorization: "Bearer t", "chatgpt-account-id": "a" });
  });

  test("have what the provider adds, from its config and from the environment", () => {
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

  test("leave out what HTTP cannot carry", () => {
    const headers = commonHeaders({ http_headers: { "bad name": "x", good: "a\r\nevil: 1" } });

    expect(Object.keys(headers)).not.toContain("bad name");
    expect(Object.keys(headers)).not.toContain("good");
  });
});
