import { existsSync, symlinkSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { RpcError } from "../../../src/jsonrpc/index.js";
import type { TestServer } from "../../support/server.js";
import { begin, initialize, say, startAppServer, startThread, told } from "../methods/thread.js";

const asks = {
  call: "request_permissions",
  args: { reason: "To build", permissions: { file_system: { write: ["../out"] } } },
  call_id: "p1",
};
const touches = { call: "shell", args: { command: ["touch", "../out/made"] }, call_id: "c1" };
const options = {
  model: [[asks], [touches], [{ message: "Done." }]],
  config: {
    approval_policy: "on-request",
    sandbox_mode: "read-only",
    features: { request_permissions_tool: true },
  },
};

async function makeFolder({ workspace }: TestServer): Promise<string> {
  const folder = join(workspace, "..", "out");
  await mkdir(folder);
  return folder;
}

test("granted permissions let the command write", async () => {
  await using server = await startAppServer(options);
  const folder = await makeFolder(server);
  const asked: unknown[] = [];
  const client = server.connect(({ method, params }) => {
    asked.push({ method, params });
    return { permissions: { fileSystem: { write: [folder] } }, scope: "turn" };
  });
  const threadId = await begin(client);

  const turnId = await say(client, threadId, "go");
  await client.until("turn/completed");

  expect(asked).toEqual([
    {
      method: "item/permissions/requestApproval",
      params: {
        threadId,
        turnId,
        itemId: "p1",
        environmentId: "local",
        startedAtMs: expect.any(Number),
        cwd: server.workspace,
        reason: "To build",
        permissions: {
          network: null,
          fileSystem: {
            read: null,
            write: [folder],
            entries: [{ path: { type: "path", path: folder }, access: "write" }],
          },
        },
      },
    },
  ]);
  const waits = told(client).indexOf("thread/status/changed active waitingOnApproval");
  expect(told(client).slice(waits + 1, waits + 4)).toEqual([
    "serverRequest/resolved",
    "thread/status/changed active",
    "item/started commandExecution",
  ]);
  expect(existsSync(join(folder, "made"))).toBe(true);
});

const path = (of: string, access = "write") => ({ path: { type: "path", path: of }, access });

test.each<[string, (folder: string) => unknown, boolean]>([
  ["entries", (of) => ({ permissions: { fileSystem: { entries: [path(of)] } } }), true],
  ["null for the scope", (of) => grants({ write: [of] }, null), true],
  ["the session", (of) => grants({ write: [of] }, "session"), true],
  ["nothing", () => ({ permissions: {} }), false],
  ["nothing of files", () => ({ permissions: { network: { enabled: true } } }), false],
  ["nothing that can be read", () => "accept", false],
  ["a decision of another kind", () => ({ decision: "accept" }), false],
  ["texts that are none", () => grants({ write: [7, null] }), false],
  ["a scope that is none", (of) => grants({ write: [of] }, "forever"), false],
  ["the folder around it", (of) => grants({ write: [join(of, "..")] }), false],
  ["a way out and back", (of) => grants({ write: [`${of}/../out/../home`] }), false],
  ["a link out of it", (of) => grants({ write: [join(of, "link")] }), false],
  ["the right to read", (of) => grants({ read: [of] }), false],
  ["entries that deny", (of) => grants({ entries: [path(of), path(`${of}/x`, "deny")] }), false],
  ["entries beside lists", (of) => grants({ write: [of], entries: [] }), false],
  [
    "a pattern",
    (of) => grants({ entries: [path(of), { path: { type: "glob_pattern" }, access: "write" }] }),
    false,
  ],
  [
    "a place by its purpose",
    () => grants({ entries: [{ path: { type: "special", value: { kind: "root" } } }] }),
    false,
  ],
  [
    "all of the session if a reviewer watches",
    (of) => ({ ...grants({ write: [of] }, "session"), strictAutoReview: true }),
    false,
  ],
  [
    "an error",
    () => {
      throw new RpcError(-32601, "no such method");
    },
    false,
  ],
])("an answer that grants %s", async (_, answer, writes) => {
  await using server = await startAppServer(options);
  const folder = await makeFolder(server);
  symlinkSync(server.workspace, join(folder, "link"));
  const client = server.connect(() => answer(folder));
  const threadId = await begin(client);

  await say(client, threadId, "go");
  const { params } = await client.until("turn/completed");

  expect(params).toMatchObject({ turn: { status: "completed" } });
  expect(existsSync(join(folder, "made"))).toBe(writes);
});

function grants(fileSystem: object, scope: unknown = "turn") {
  return { permissions: { fileSystem }, scope };
}

test("an error of one client leaves the request to the others", async () => {
  await using server = await startAppServer(options);
  const folder = await makeFolder(server);
  const old = server.connect(() => {
    throw new RpcError(-32601, "no such method");
  });
  const threadId = await begin(old);
  const client = server.connect(() => grants({ write: [folder] }));
  await initialize(client);
  await client.call("thread/resume", { threadId });

  await say(old, threadId, "go");
  await old.until("turn/completed");

  expect(existsSync(join(folder, "made"))).toBe(true);
});

test("with the policy `never` permissions are denied without a request", async () => {
  await using server = await startAppServer(options);
  const folder = await makeFolder(server);
  const asked: string[] = [];
  const client = server.connect(({ method }) => asked.push(method));
  await initialize(client);
  const threadId = await startThread(client, { approvalPolicy: "never" });

  await say(client, threadId, "go");
  await client.until("turn/completed");

  expect(asked).toEqual([]);
  expect(existsSync(join(folder, "made"))).toBe(false);
});
