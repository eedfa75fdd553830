import { expect, test } from "vitest";
import { isAzure, requestUrl } from "../../src/model/request-url.js";
import { scriptedProvider } from "../../src/model/scripted/index.js";

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
