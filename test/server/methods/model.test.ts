import { expect, test } from "vitest";
import type { ModelListResponse } from "../../../src/protocol/rpc/v2/model.js";
import { initialize, startAppServer } from "../../support/app-server.js";

test("models are listed in pages, hidden ones on request", async () => {
  await using server = await startAppServer({ era: "0.104" });
  const client = server.connect();
  await initialize(client);
  const list = async (params: object) => {
    const { data, nextCursor } = (await client.call("model/list", params)) as ModelListResponse;
    return [data.map(({ id }) => id), nextCursor];
  };

  expect(await list({ limit: 2 })).toEqual([["gpt-5.2-codex", "gpt-5.1-codex-max"], "2"]);
  expect(await list({ limit: 9, cursor: "2" })).toEqual([["gpt-5.2", "gpt-5.1-codex-mini"], null]);
  expect((await list({ includeHidden: true }))[0]).toContain("gpt-5");
  await expect(list({ cursor: "junk" })).rejects.toMatchObject({
    code: -32600,
    message: "invalid cursor: junk",
  });
  await expect(list({ cursor: "5" })).rejects.toThrow("cursor 5 exceeds total models 4");
});

test("a model has the fields of the era", async () => {
  await using server = await startAppServer({ era: "0.104" });
  const client = server.connect();
  await initialize(client);

  const { data } = (await client.call("model/list", { limit: 1 })) as ModelListResponse;

  const { description, supportedReasoningEfforts, ...rest } = data[0] ?? {};
  expect(description).toMatch(/code/);
  expect(supportedReasoningEfforts?.map(({ reasoningEffort }) => reasoningEffort)).toEqual([
    "low",
    "medium",
    "high",
    "xhigh",
  ]);
  expect(rest).toEqual({
    id: "gpt-5.2-codex",
    model: "gpt-5.2-codex",
    upgrade: "gpt-5.3-codex",
    displayName: "gpt-5.2-codex",
    hidden: false,
    defaultReasoningEffort: "medium",
    inputModalities: ["text", "image"],
    supportsPersonality: true,
    isDefault: true,
  });
});

test.each([
  ["current", {}, ["low", "medium", "high", "xhigh"]],
  ["current", { experimentalApi: true }, ["low", "medium", "high", "xhigh", "max", "ultra"]],
  ["0.166", {}, ["low", "medium", "high", "xhigh", "max", "ultra"]],
] as const)(
  "in era %s a client with %j receives the efforts %j",
  async (era, capabilities, told) => {
    await using server = await startAppServer({ era });
    const client = server.connect();
    const clientInfo = { name: "test", version: "1.0" };
    await client.call("initialize", { clientInfo, capabilities });

    const { data } = (await client.call("model/list", {})) as ModelListResponse;

    const [first] = data;
    expect(first?.id).toBe("gpt-6.1-sol");
    expect(first?.supportedReasoningEfforts.map(({ reasoningEffort }) => reasoningEffort)).toEqual(
      told,
    );
  },
);

test("collaboration modes and provider capabilities are listed", async () => {
  await using server = await startAppServer();
  const client = server.connect();
  await initialize(client);

  expect(await client.call("collaborationMode/list", {})).toEqual({
    data: [
      { name: "Plan", mode: "plan", model: null, reasoning_effort: "medium" },
      { name: "Default", mode: "default", model: null, reasoning_effort: null },
    ],
  });
  expect(await client.call("modelProvider/capabilities/read", {})).toEqual({
    imageGeneration: false,
    webSearch: true,
  });
});
