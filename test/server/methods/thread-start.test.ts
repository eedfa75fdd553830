import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Opened } from "./support.js";
import { begin, initialize, say, startAppServer } from "./thread.js";

test("a thread starts with the settings of its client and returns them", async () => {
  await using server = await startAppServer();
  writeFileSync(join(server.workspace, "AGENTS.md"), "Be kind.");
  const client = server.connect();
  await initialize(client);

  const opened = (await client.call("thread/start", {
    model: "other",
    approvalPolicy: "on-request",
    sandbox: "workspace-write",
    config: { model_reasoning_effort: "low" },
    threadSource: "user",
    serviceName: null,
  })) as Opened;
  const { params } = await client.until("thread/started");

  const seconds = expect.any(Number);
  const { id, path } = opened.thread;
  expect(opened).toEqual({
    thread: {
      id,
      environments: [
        {
          environmentId: "local",
          cwd: server.workspace,
          runtimeWorkspaceRoots: [server.workspace],
        },
      ],
      extra: null,
      sessionId: id,
      forkedFromId: null,
      parentThreadId: null,
      preview: "",
      ephemeral: false,
      section: null,
      sectionEnteredAt: null,
      projectId: null,
      historyMode: "paginated",
      modelProvider: "mock",
      model: "other",
      reasoningEffort: "low",
      createdAt: seconds,
      updatedAt: seconds,
      recencyAt: seconds,
      status: { type: "idle" },
      path,
      cwd: server.workspace,
      cliVersion: "0.166.0",
      originator: "test",
      source: "vscode",
      canAcceptDirectInput: true,
      threadSource: "user",
      agentNickname: null,
      agentRole: null,
      gitInfo: null,
      name: null,
      daybreakEnabled: null,
      turns: [],
    },
    model: "other",
    modelProvider: "mock",
    serviceTier: null,
    disabledPluginIds: [],
    cwd: server.workspace,
    runtimeWorkspaceRoots: [server.workspace],
    instructionSources: [join(server.workspace, "AGENTS.md")],
    approvalPolicy: "on-request",
    approvalsReviewer: "user",
    sandbox: {
      type: "workspaceWrite",
      writableRoots: [],
      networkAccess: false,
      excludeTmpdirEnvVar: false,
      excludeSlashTmp: false,
    },
    activePermissionProfile: null,
    reasoningEffort: "low",
    multiAgentMode: "explicitRequestOnly",
  });
  expect(params).toEqual({ thread: opened.thread });
  expect(existsSync(path ?? "")).toBe(true);
});

test("invalid settings of a thread are rejected with the reason", async () => {
  await using server = await startAppServer({ era: "0.104" });
  const client = server.connect();
  await initialize(client);
  mkdirSync(join(server.workspace, "here"));

  const refused = async (params: unknown) =>
    (client.call("thread/start", params) as Promise<unknown>).catch((error) => error.message);

  expect([
    await refused(undefined),
    await refused({ sandbox: { type: "workspaceWrite" } }),
    await refused({ sandbox: "workspaceWrite" }),
    await refused({ approvalPolicy: "sometimes" }),
    await refused({ modelProvider: "nowhere" }),
  ]).toEqual([
    "Invalid request: missing field `params`",
    "Invalid request: invalid value: map, expected map with a single key",
    "Invalid request: unknown variant `workspaceWrite`, expected one of `read-only`, `workspace-write`, `danger-full-access`",
    "Invalid request: unknown variant `sometimes`, expected one of `untrusted`, `on-failure`, `on-request`, `never`",
    expect.stringContaining("nowhere"),
  ]);
  expect(await client.call("thread/loaded/list", {})).toEqual({ data: [], nextCursor: null });
});

test("an ephemeral thread works and leaves no file", async () => {
  await using server = await startAppServer({ model: [[{ message: "Done." }]] });
  const client = server.connect();
  const threadId = await begin(client, { ephemeral: true });
  await say(client, threadId, "go");
  await client.until("turn/completed");

  const shown = (await client.call("thread/read", { threadId })) as Opened;
  const asked = (method: string, params: object = {}) =>
    client.call(method, { threadId, ...params }).catch((error) => error.message);

  expect(shown.thread).toMatchObject({ ephemeral: true, path: null, turns: [] });
  expect([
    await asked("thread/read", { includeTurns: true }),
    await asked("thread/turns/list"),
    await asked("thread/items/list"),
    await asked("thread/name/set", { name: "x" }),
    await asked("thread/archive"),
  ]).toEqual([
    "ephemeral threads do not support includeTurns",
    "ephemeral threads do not support thread/turns/list",
    "ephemeral threads do not support thread/items/list",
    `ephemeral thread does not support metadata updates: ${threadId}`,
    `no rollout found for thread id ${threadId}`,
  ]);
  expect(existsSync(join(server.home, "sessions"))).toBe(false);
});
