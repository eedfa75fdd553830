import { expect, test } from "vitest";
import type { ConnectionParts } from "../../../src/mcp/connection.js";
import { createHttpTransport } from "../../../src/mcp/http/create-transport.js";
import type { TokenStore } from "../../../src/mcp/oauth/token-store.js";

/** Creates a transport and returns the headers of its first request. */
async function firstHeaders(config: object, tokens?: Partial<TokenStore>): Promise<Headers> {
  let headers = new Headers();
  const parts = {
    env: { TOKEN: "from-env" },
    fetch: async (_url: string | URL, init?: RequestInit) => {
      headers = new Headers(init?.headers);
      return new Response(null, { status: 202 });
    },
    ...(tokens === undefined ? {} : { tokens }),
  } as unknown as ConnectionParts;
  const http = { type: "streamable_http" as const, url: "https://example.com/mcp", ...config };
  const transport = createHttpTransport("t", http, parts);
  await transport.start();
  await transport.send({ jsonrpc: "2.0", method: "notifications/initialized" });
  await transport.close();
  return headers;
}

const stored = { read: async () => ({ access_token: "stored" }) } as unknown as TokenStore;

test.each<[string, object, TokenStore | undefined, string | null]>([
  ["the bearer token", { bearer_token_env_var: "TOKEN" }, stored, "Bearer from-env"],
  ["a configured header", { http_headers: { authorization: "Basic x" } }, stored, "Basic x"],
  ["the stored login", {}, stored, "Bearer stored"],
  ["nothing without a store", {}, undefined, null],
])("authenticates with %s", async (_name, config, tokens, expected) => {
  expect((await firstHeaders(config, tokens)).get("authorization")).toBe(expected);
});

test.each([
  ["not a url", "invalid `url`: not a url"],
  ["file:///tmp", "`url` must use http or https (got file://)"],
])("rejects the url %j", async (url, message) => {
  await expect(firstHeaders({ url })).rejects.toThrow(message);
});
