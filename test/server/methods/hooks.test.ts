import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { HooksListResponse } from "../../../src/protocol/rpc/v2/hook.js";
import { initialize, startAppServer } from "../../support/app-server.js";
import type { TestClient, TestServer } from "../../support/server.js";

const command = { type: "command", command: "true" };

async function list(client: TestClient, params: object = {}) {
  return ((await client.call("hooks/list", params)) as HooksListResponse).data;
}

async function start(server: TestServer, hooks: unknown): Promise<TestClient> {
  const client = server.connect();
  await initialize(client);
  const text = typeof hooks === "string" ? hooks : JSON.stringify({ hooks });
  await writeFile(join(server.home, "hooks.json"), text);
  return client;
}

test("hooks are listed with the trust in each, in the shape of the reference", async () => {
  await using server = await startAppServer();
  const tool = { type: "mcp_tool", server: "tiny", tool: "echo" };
  const http = { type: "http", url: "http://localhost:1/", on_failure: "deny" };
  const client = await start(server, {
    PreToolUse: [{ matcher: "Bash", hooks: [{ ...command, timeout: 5 }, tool, http] }],
  });

  const data = await list(client, { cwds: [server.workspace] });

  const sourcePath = join(server.home, "hooks.json");
  const common = {
    eventName: "preToolUse",
    matcher: "Bash",
    statusMessage: null,
    additionalContextLimit: null,
    sourcePath,
    source: "user",
    pluginId: null,
    environmentId: null,
    enabled: true,
    isManaged: false,
    currentHash: expect.stringMatching(/^sha256:[0-9a-f]{64}$/),
    trustStatus: "untrusted",
  };
  expect(data).toEqual([
    {
      cwd: server.workspace,
      hooks: [
        {
          ...common,
          key: `${sourcePath}:pre_tool_use:0:0`,
          handlerType: "command",
          command: "true",
          async: false,
          timeoutSec: 5,
          onFailure: "continue",
          displayOrder: 0,
        },
        {
          ...common,
          key: `${sourcePath}:pre_tool_use:0:1`,
          handlerType: "mcpTool",
          server: "tiny",
          tool: "echo",
          timeoutSec: 600,
          onFailure: "continue",
          displayOrder: 1,
        },
        {
          ...common,
          key: `${sourcePath}:pre_tool_use:0:2`,
          handlerType: "http",
          url: "http://localhost:1/",
          timeoutSec: 600,
          onFailure: "deny",
          displayOrder: 2,
        },
      ],
      warnings: [],
      errors: [],
    },
  ]);
});

test("a client trusts, disables and distrusts hooks by writing their state", async () => {
  await using server = await startAppServer();
  const client = await start(server, { Stop: [{ hooks: [command] }] });
  const [entry] = await list(client);
  const { key = "", currentHash } = entry?.hooks[0] ?? {};
  const write = async (value: object) => {
    const edits = [{ keyPath: "hooks.state", value, mergeStrategy: "upsert" }];
    await client.call("config/batchWrite", { edits, reloadUserConfig: true });
    return (await list(client))[0]?.hooks[0];
  };

  const trusted = await write({ [key]: { trusted_hash: currentHash } });
  const disabled = await write({ [key]: { trusted_hash: currentHash, enabled: false } });
  const modified = await write({ [key]: { trusted_hash: "sha256:0", enabled: true } });

  expect(trusted).toMatchObject({ trustStatus: "trusted", enabled: true });
  expect(disabled).toMatchObject({ trustStatus: "trusted", enabled: false });
  expect(modified).toMatchObject({ trustStatus: "modified", enabled: true });
});

test("hooks of a folder are those of its project; problems are listed by file", async () => {
  await using server = await startAppServer();
  const client = await start(server, "{");
  const file = join(server.workspace, ".codex", "hooks.json");
  await mkdir(join(server.workspace, ".codex"));
  await writeFile(file, JSON.stringify({ hooks: { Stop: [{ hooks: [command] }] } }));
  const trust = `[projects.${JSON.stringify(server.workspace)}]\ntrust_level = "trusted"\n`;
  await writeFile(join(server.home, "config.toml"), trust);

  const data = await list(client, { cwds: [server.workspace, server.home] });

  const path = join(server.home, "hooks.json");
  const errors = [{ path, message: expect.stringContaining(`${path}:1: not valid JSON`) }];
  expect(data).toMatchObject([
    { cwd: server.workspace, hooks: [{ sourcePath: file, source: "project" }], errors },
    { cwd: server.home, hooks: [], errors },
  ]);
});
