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

test("features can be switched for the process, unless a file sets them", async () => {
  await using server = await startAppServer({ config: { features: { hooks: true } } });
  const client = server.connect();
  await initialize(client);
  const enabled = async () => {
    const { data } = (await client.call(
      "experimentalFeature/list",
      {},
    )) as ExperimentalFeatureListResponse;
    const names = ["goals", "hooks", "multi_agent", "apps"];
    return Object.fromEntries(
      data.filter(({ name }) => names.includes(name)).map((one) => [one.name, one.enabled]),
    );
  };
  const before = await enabled();

  const enablement = { goals: false, hooks: false, multi_agent: true, apps: true, none: true };
  const { enablement: applied } = (await client.call("experimentalFeature/enablement/set", {
    enablement,
  })) as { enablement: object };

  expect(applied).toEqual({ goals: false, hooks: false, multi_agent: true });
  expect(await enabled()).toEqual({ ...before, goals: false, hooks: true, multi_agent: true });
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
