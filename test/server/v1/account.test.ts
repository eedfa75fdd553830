import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { initialize, startAppServer } from "./conversation.js";

const needsLogin = {
  model_providers: {
    mock: { name: "mock", base_url: "http://127.0.0.1:1/v1", requires_openai_auth: true },
  },
};

test("an API key login notifies all clients", async () => {
  await using server = await startAppServer({ config: needsLogin });
  const [client, other] = [server.connect(), server.connect()];
  await Promise.all([initialize(client), initialize(other)]);

  await client.call("loginApiKey", { apiKey: "sk-test" });
  const { params } = await other.until("authStatusChange");

  expect(params).toEqual({ authMethod: "apikey" });
  expect(await client.call("getAuthStatus", { includeToken: true })).toEqual({
    authMethod: "apikey",
    authToken: "sk-test",
    requiresOpenaiAuth: true,
  });
  expect(await client.call("getAuthStatus", {})).toEqual({
    authMethod: "apikey",
    requiresOpenaiAuth: true,
  });
  expect(await client.call("userInfo")).toEqual({ allegedUserEmail: null });
});

test("signing out removes the login", async () => {
  await using server = await startAppServer({ config: needsLogin });
  const client = server.connect();
  await initialize(client);
  await client.call("loginApiKey", { apiKey: "sk-test" });
  await client.until("authStatusChange");

  await client.call("logoutChatGpt");

  expect((await client.until("authStatusChange")).params).toEqual({});
  expect(await client.call("getAuthStatus", {})).toEqual({ requiresOpenaiAuth: true });
  expect(existsSync(join(server.home, "auth.json"))).toBe(false);
});

test("cancelling an unknown login is rejected", async () => {
  await using server = await startAppServer();
  const client = server.connect();
  await initialize(client);
  const loginId = "01a1e12e-0dd5-7004-8128-000000000000";

  await expect(client.call("cancelLoginChatGpt", { loginId })).rejects.toMatchObject({
    code: -32600,
    message: `login id not found: ${loginId}`,
  });
});
