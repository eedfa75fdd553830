import { expect, test } from "vitest";
import type { ExperimentalFeatureListResponse } from "../../../src/protocol/rpc/v2/feature.js";
import { initialize, startAppServer } from "../../support/app-server.js";

test("features are listed with their state and stage", async () => {
  await using server = await startAppServer({ config: { features: { unified_exec: true } } });
  const client = server.connect();
  await initialize(client);

  const { data, nextCursor } = (await client.call(
    "experimentalFeature/list",
    {},
  )) as ExperimentalFeatureListResponse;

  const texts = { displayName: null, description: null, announcement: null };
  const named = (wanted: string) => data.find(({ name }) => name === wanted);
  expect(named("unified_exec")).toEqual({
    name: "unified_exec",
    stage: "stable",
    ...texts,
    enabled: true,
    defaultEnabled: false,
  });
  expect(named("shell_tool")).toMatchObject({ enabled: true, defaultEnabled: true });
  expect(named("apps")).toMatchObject({ stage: "removed", enabled: false });
  expect(nextCursor).toBeNull();
});

test("permission profiles are listed in pages", async () => {
  await using server = await startAppServer();
  const client = server.connect();
  await initialize(client);

  expect(await client.call("permissionProfile/list", { limit: 1, cursor: "1" })).toEqual({
    data: [{ id: ":workspace", description: null, allowed: true }],
    nextCursor: "2",
  });
});
