import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { initialize, startAppServer } from "../../support/app-server.js";
import { says } from "../../support/model.js";
import type { TestServer } from "../../support/server.js";
import { type Opened, talk } from "./support.js";

const profiles = `default_permissions = "tight"
[permissions.tight]
extends = ":workspace"
description = "no secrets"
[permissions.tight.filesystem]
":workspace_roots" = { "secret.env" = "deny" }
[permissions.other]
extends = ":read-only"
`;

async function start(text: string, model = [says("1"), says("2")]) {
  const server = await startAppServer({ model, config: { sandbox_mode: undefined } });
  await writeFile(join(server.home, "config.toml"), text);
  const client = server.connect();
  await initialize(client, { experimentalApi: true });
  return { server, client };
}

const tight = { id: "tight", extends: ":workspace" };
const unknown = /^failed to load configuration: .*names an undefined profile, `nope`/;

describe("profiles", () => {
  test("are listed, built-in ones first; one with a mistake is not allowed", async () => {
    const { server, client } = await start(`${profiles}[permissions.bad]\nextends = "nope"\n`);
    await using _ = server;

    const { data } = (await client.call("permissionProfile/list", {})) as { data: object[] };

    expect(data).toEqual([
      { id: ":read-only", description: null, allowed: true },
      { id: ":workspace", description: null, allowed: true },
      { id: ":danger-full-access", description: null, allowed: true },
      { id: "bad", description: null, allowed: false },
      { id: "other", description: null, allowed: true },
      { id: "tight", description: "no secrets", allowed: true },
    ]);
  });

  test("of the config are active in a new thread, those of the params instead of them", async () => {
    const { server, client } = await start(profiles);
    await using _ = server;

    const usual = (await client.call("thread/start", {})) as Opened;
    const chosen = (await client.call("thread/start", { permissions: ":read-only" })) as Opened;
    const plain = (await client.call("thread/start", { sandbox: "read-only" })) as Opened;

    expect(usual).toMatchObject({
      sandbox: { type: "workspaceWrite", writableRoots: [] },
      activePermissionProfile: tight,
    });
    expect(chosen).toMatchObject({
      sandbox: { type: "readOnly" },
      activePermissionProfile: { id: ":read-only", extends: null },
    });
    expect(plain.activePermissionProfile).toBeNull();
  });

  test("of a turn stay for later turns, and a fork has them", async () => {
    const { server, client } = await start(profiles);
    await using _ = server;
    const { thread } = (await client.call("thread/start", {
      permissions: ":read-only",
    })) as Opened;
    const turn = { threadId: thread.id, input: [{ type: "text", text: "Go." }] };

    await client.call("turn/start", { ...turn, permissions: "tight" });
    await client.until("turn/completed");
    const updated = await client.until("thread/settings/updated");
    const fork = (await client.call("thread/fork", { threadId: thread.id })) as Opened;

    expect(updated.params).toMatchObject({
      threadSettings: {
        activePermissionProfile: tight,
        sandboxPolicy: { type: "workspaceWrite" },
      },
    });
    expect(lastContext(server)).toContain(`${server.workspace}/secret.env`);
    expect(fork.activePermissionProfile).toEqual(tight);
  });

  test("are changed by `thread/settings/update`", async () => {
    const { server, client } = await start(profiles);
    await using _ = server;
    const { thread } = (await client.call("thread/start", {})) as Opened;

    await client.call("thread/settings/update", { threadId: thread.id, permissions: "other" });
    const { params } = await client.until("thread/settings/updated");
    await talk(client, thread.id, "Go.");

    expect(params).toMatchObject({
      threadSettings: { activePermissionProfile: { id: "other", extends: ":read-only" } },
    });
    expect(lastContext(server)).toContain("<sandbox_mode>read-only</sandbox_mode>");
  });

  test("cannot be combined with a sandbox, and must exist", async () => {
    const { server, client } = await start(profiles);
    await using _ = server;
    const { thread } = (await client.call("thread/start", {})) as Opened;
    const threadId = thread.id;
    const input = [{ type: "text", text: "Go." }];
    const readOnly = { type: "readOnly" };
    const command = ["true"];
    const problem = (method: string, params: object) =>
      client.call(method, params).catch(({ code, message }) => ({ code, message }));
    const cases: [string, object, string | RegExp][] = [
      ["thread/start", { permissions: "tight", sandbox: "read-only" }, "`sandbox`"],
      ["thread/resume", { threadId, permissions: "nope", sandbox: "read-only" }, "`sandbox`"],
      [
        "turn/start",
        { threadId, input, permissions: "tight", sandboxPolicy: readOnly },
        "`sandboxPolicy`",
      ],
      [
        "thread/settings/update",
        { threadId, permissions: "x", sandboxPolicy: readOnly },
        "`sandboxPolicy`",
      ],
      [
        "command/exec",
        { command, permissionProfile: "x", sandboxPolicy: readOnly },
        "`sandboxPolicy`",
      ],
      ["thread/start", { permissions: "nope" }, unknown],
      ["thread/start", { permissions: "" }, /names an undefined profile, ``/],
      ["thread/start", { permissions: ":nope" }, /names an unknown built-in profile/],
      ["turn/start", { threadId, input, permissions: "nope" }, unknown],
      ["thread/settings/update", { threadId, permissions: "nope" }, unknown],
      ["command/exec", { command, permissionProfile: "nope" }, /^invalid permission profile: /],
    ];

    for (const [method, params, expected] of cases) {
      const message =
        typeof expected === "string" ? `cannot be combined with ${expected}` : expected;
      expect(await problem(method, params), method).toEqual({
        code: -32600,
        message: expect.stringMatching(message),
      });
    }
  });
});

describe("a mistake in a profile", () => {
  test("is reported to the client and refuses threads and commands", async () => {
    const { server, client } = await start('default_permissions = "nope"\n');
    await using _ = server;

    const warning = await client.until("configWarning");
    const refused = client.call("thread/start", {});
    const command = client.call("command/exec", { command: ["true"] });

    await expect(refused).rejects.toMatchObject({
      code: -32600,
      message: expect.stringMatching(unknown),
    });
    await expect(command).rejects.toMatchObject({
      message: expect.stringMatching("names an undefined profile"),
    });
    expect(warning.params).toMatchObject({
      summary: "Invalid configuration; using defaults.",
      details: expect.stringMatching("names an undefined profile, `nope`"),
      path: join(server.home, "config.toml"),
    });
  });
});

const lastContext = ({ prompts }: TestServer) => JSON.stringify(prompts.at(-1)?.input);
