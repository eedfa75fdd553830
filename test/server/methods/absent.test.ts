import { expect, test } from "vitest";
import { initialize, startAppServer, startThread } from "./thread.js";

const noPage = { data: [], nextCursor: null };

test.each([
  ["app/list", noPage],
  ["app/installed", { apps: [] }],
  ["plugin/list", { marketplaces: [], marketplaceLoadErrors: [], featuredPluginIds: [] }],
  ["plugin/installed", { marketplaces: [], marketplaceLoadErrors: [] }],
  ["account/bedrock/checkGovCloudRequirements", { isGovCloud: false, shouldWarn: false }],
  ["accountSession/list", { activeSessionId: null, sessions: [] }],
  ["memory/status", { v2ConsolidatedThreads: 0, v2Ready: false }],
  ["memory/reset", {}],
  ["mock/experimentalMethod", { echoed: null }],
  [
    "account/gatewayOAuth/read",
    { providerId: "mock", providerName: "mock", required: false, status: null, error: null },
  ],
])("[clients 9] `%s` returns an empty list", async (method, answer) => {
  await using server = await startAppServer();
  const client = server.connect();
  await initialize(client, { experimentalApi: true });

  expect(await client.call(method, {})).toEqual(answer);
});

test("[clients 9] methods of the vendor's service are rejected with the reason", async () => {
  await using server = await startAppServer();
  const client = server.connect();
  await initialize(client);

  const refused = await client
    .call("plugin/install", { pluginName: "x" })
    .catch((error: Error) => error.message);

  expect(refused).toContain("There are no plugins");
});

test("a thread has no memory, and stays without one", async () => {
  await using server = await startAppServer();
  const client = server.connect();
  await initialize(client, { experimentalApi: true });
  const threadId = await startThread(client);
  const set = (mode: string) => client.call("thread/memoryMode/set", { threadId, mode });

  expect(await client.call("thread/memory/read", { threadId })).toEqual({ summary: null });
  expect(await set("disabled")).toEqual({});
  await expect(set("enabled")).rejects.toThrow('`mode` must be "disabled" (got "enabled")');
});
