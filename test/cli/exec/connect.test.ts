import { describe, expect, test } from "vitest";
import type { CommandIo } from "../../../src/cli/command.js";
import { declineAll, openThread, type ThreadChoice } from "../../../src/cli/exec/connect.js";
import type { ExecRequest } from "../../../src/cli/exec/exec-request.js";
import type { AppServerClient } from "../../../src/client/index.js";

describe("requests of the server without a user", () => {
  test.each([
    [
      "item/commandExecution/requestApproval",
      { command: "rm x", reason: "outside" },
      { decision: "decline" },
      "command `rm x` (outside)",
    ],
    ["item/commandExecution/requestApproval", {}, { decision: "decline" }, "command `?`"],
    [
      "item/fileChange/requestApproval",
      { grantRoot: "/w", reason: null },
      { decision: "decline" },
      "file changes in /w",
    ],
    ["item/fileChange/requestApproval", {}, { decision: "decline" }, "file changes"],
    [
      "mcpServer/elicitation/request",
      { serverName: "s", message: "sure?" },
      { action: "decline", content: null, _meta: null },
      "question of MCP server s: sure?",
    ],
  ])("%s %j is declined", async (method, params, answer, what) => {
    const declined: string[] = [];
    const handlers = declineAll((text) => declined.push(text)) as Record<
      string,
      (params: never) => unknown
    >;

    expect(await handlers[method]?.(params as never)).toEqual(answer);
    expect(declined).toEqual([what]);
  });

  test("for user input is an error, as there is no answer that declines", () => {
    const declined: string[] = [];
    const handlers = declineAll((text) => declined.push(text));

    expect(() => handlers["item/tool/requestUserInput"]?.({} as never, {} as never)).toThrow(
      "No user is present to answer questions",
    );
    expect(declined).toEqual(["question of the model"]);
  });
});

const id = "0192c7a1-0000-7000-8000-000000000001";

/** Opens a thread on a client that records requests and lists these threads. */
async function open(choice: ThreadChoice, listed: { id: string; name: string | null }[] = []) {
  const requests: [string, unknown][] = [];
  const client = {
    async request(method: string, params: unknown) {
      requests.push([method, params]);
      return method === "thread/list" ? { data: listed } : { thread: { id: "opened" } };
    },
  } as unknown as AppServerClient;
  const request = {
    thread: { cwd: "/w", config: {}, threadSource: "ci" },
    ephemeral: true,
  } as unknown as ExecRequest;
  const io = { env: {}, signal: new AbortController().signal } as unknown as CommandIo;
  await openThread(client, choice, request, io);
  return requests;
}

const list = {
  sortKey: "updated_at",
  sourceKinds: ["cli", "vscode", "exec", "appServer"],
};
const resumed = { cwd: "/w", config: {}, excludeTurns: true };

describe("the thread of a run", () => {
  test("is started with all settings", async () => {
    expect(await open({ kind: "new" })).toEqual([
      ["thread/start", { cwd: "/w", config: {}, threadSource: "ci", ephemeral: true }],
    ]);
  });

  test("is resumed by its id without a search", async () => {
    expect(await open({ kind: "resume", id })).toEqual([
      ["thread/resume", { threadId: id, ...resumed }],
    ]);
  });

  test("is resumed by its exact name", async () => {
    const listed = [
      { id: "a", name: "mine too" },
      { id: "b", name: "mine" },
    ];

    expect(await open({ kind: "resume", id: "mine" }, listed)).toEqual([
      ["thread/list", { searchTerm: "mine", ...list }],
      ["thread/resume", { threadId: "b", ...resumed }],
    ]);
  });

  test.each([
    [false, { limit: 1, cwd: "/w", ...list }],
    [true, { limit: 1, ...list }],
  ])("is the last one, of any directory: %s", async (anywhere, query) => {
    expect(await open({ kind: "last", anywhere }, [{ id: "z", name: null }])).toEqual([
      ["thread/list", query],
      ["thread/resume", { threadId: "z", ...resumed }],
    ]);
  });

  test.each([
    [
      { kind: "resume", id: "none" },
      "No saved session named none found. See `quire sessions list`",
    ],
    [{ kind: "last", anywhere: true }, "No saved session to resume"],
    [{ kind: "last", anywhere: false }, "No saved session of /w to resume"],
  ] as const)("%j that does not exist is an error", async (choice, message) => {
    await expect(open(choice)).rejects.toThrow(message);
  });
});
