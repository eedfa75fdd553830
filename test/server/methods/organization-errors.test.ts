import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { says } from "../../support/model.js";
import type { TestClient, TestServer } from "../../support/server.js";
import { talk } from "./support.js";
import { initialize, startAppServer, startThread } from "./thread.js";

/** A thread that no home has. */
const unknown = "00000000-0000-7000-8000-000000000000";
const pinned = "01984de2-8f74-7c91-a3b2-5c5e937cf318";
const badId = "invalid thread id: invalid length: expected length 32 for simple format, found 3";

let server: TestServer;
let client: TestClient;
/** A stored thread. */
let threadId: string;
let ephemeralId: string;

beforeAll(async () => {
  server = await startAppServer({ model: [says("The elephant is an elephant.")] });
  client = server.connect();
  await initialize(client, { experimentalApi: true });
  threadId = await startThread(client);
  await talk(client, threadId, "tell me of the elephant");
  ephemeralId = await startThread(client, { ephemeral: true });
});

afterAll(() => server[Symbol.asyncDispose]());

/** Replaces `$thread` and `$ephemeral`, and returns the code and message of the refusal. */
async function refusal(method: string, params: object): Promise<string> {
  const text = JSON.stringify(params)
    .replaceAll("$thread", threadId)
    .replaceAll("$ephemeral", ephemeralId);
  return client.call(method, JSON.parse(text)).then(
    () => "accepted",
    ({ code, message }: { code: number; message: string }) =>
      `${code} ${message}`.replaceAll(threadId, "$thread").replaceAll(ephemeralId, "$ephemeral"),
  );
}

const key = { attachmentType: "pr", identityKey: "1" };

describe("sections", () => {
  test.each([
    ["create", { name: "" }, "section name must not be empty"],
    ["create", { name: "\t\n" }, "section name must not be empty"],
    ["update", { sectionId: "nope", name: "" }, "section name must not be empty"],
    ["update", { sectionId: "nope", name: "x" }, "thread section not found: nope"],
    [
      "update",
      { sectionId: pinned, name: "x", appearance: null },
      "the built-in pinned section cannot be renamed",
    ],
    ["delete", { sectionId: "" }, "thread section not found: "],
    ["delete", { sectionId: pinned }, "the built-in pinned section cannot be deleted"],
  ])("threadSection/%s refuses %j", async (method, params, message) => {
    expect(await refusal(`threadSection/${method}`, params)).toBe(`-32602 ${message}`);
  });

  test.each([
    [{ threadId: "abc", sectionId: pinned }, badId],
    [{ threadId: unknown, sectionId: pinned }, `thread not found: ${unknown}`],
    [
      { threadId: "$ephemeral", sectionId: pinned },
      "ephemeral thread does not support section moves: $ephemeral",
    ],
    [{ threadId: "$thread", sectionId: "nope" }, "section nope does not exist"],
    [{ threadId: "$thread", sectionId: "" }, "section  does not exist"],
    [
      { threadId: "$thread", sectionId: null, beforeThreadId: unknown },
      "beforeThreadId requires a non-null sectionId",
    ],
    [
      { threadId: "$thread", sectionId: pinned, beforeThreadId: "$thread" },
      "thread $thread cannot be moved before itself",
    ],
    [
      { threadId: "$thread", sectionId: pinned, beforeThreadId: unknown },
      `before thread ${unknown} is not in section ${pinned}`,
    ],
  ])("thread/section/move refuses %j", async (params, message) => {
    expect(await refusal("thread/section/move", params)).toBe(`-32600 ${message}`);
  });

  test("a refused move leaves the thread where it was", async () => {
    await client.call("thread/section/move", { threadId, sectionId: pinned });
    await refusal("thread/section/move", { threadId, sectionId: "nope" });
    const list = await client.call("thread/list", { sectionId: pinned });
    await client.call("thread/section/move", { threadId, sectionId: null });

    expect(list).toMatchObject({ data: [{ id: threadId }] });
  });

  test("a page after an unknown section is empty", async () => {
    expect(await client.call("threadSection/list", { cursor: "nope" })).toEqual({
      data: [],
      nextCursor: null,
    });
  });
});

describe("projects", () => {
  const made = { idempotencyKey: "k", name: "x", roots: [] };

  test.each([
    ["create", { ...made, name: "" }, "project name must not be empty"],
    ["create", { ...made, idempotencyKey: "" }, "idempotencyKey must not be empty"],
    [
      "create",
      { ...made, roots: [{ path: "/ok" }, { path: "./here" }] },
      'Expected the roots of a project to be absolute paths (got "./here")',
    ],
    [
      "create",
      { ...made, roots: [{ path: "" }] },
      'Expected the roots of a project to be absolute paths (got "")',
    ],
    ["import", { ...made, threads: [unknown] }, `thread not found: ${unknown}`],
    ["import", { ...made, threads: ["$thread", unknown] }, `thread not found: ${unknown}`],
    ["read", { projectId: "" }, "project not found: "],
    ["update", { projectId: "nope", name: "x" }, "project not found: nope"],
    ["update", { projectId: "nope", name: " " }, "project name must not be empty"],
    ["delete", { projectId: "nope" }, "project not found: nope"],
    ["move", { projectId: "nope", beforeProjectId: "nope" }, "project not found: nope"],
    ["list", { cursor: "0|nope" }, "invalid project cursor: malformed or mismatched sort anchor"],
  ])("project/%s refuses %j", async (method, params, message) => {
    expect(await refusal(`project/${method}`, params)).toBe(`-32602 ${message}`);
  });

  test("an id of a thread that is none is refused, and no project is made", async () => {
    expect(await refusal("project/import", { ...made, threads: ["abc"] })).toBe(`-32600 ${badId}`);
    expect(await client.call("project/list", {})).toEqual({ data: [], nextCursor: null });
  });

  test("a project is not moved before itself or before one that there is not", async () => {
    const { project } = (await client.call("project/create", made)) as { project: { id: string } };
    const { id: projectId } = project;
    const move = (beforeProjectId: string) =>
      refusal("project/move", { projectId, beforeProjectId });

    expect(await move(projectId)).toBe(`-32602 project ${projectId} cannot be moved before itself`);
    expect(await move("nope")).toBe("-32602 before project not found: nope");
    await client.call("project/delete", { projectId });
  });
});

describe("attachments", () => {
  test.each([
    ["attachment/add", { threadId: unknown, ...key }, `-32602 thread not found: ${unknown}`],
    ["attachment/add", { threadId: "abc", ...key }, `-32600 ${badId}`],
    ["attachment/add", { threadId: "$ephemeral", ...key }, "-32602 thread not found: $ephemeral"],
    [
      "attachment/add",
      { threadId: "$thread", ...key, attachmentType: "" },
      "-32602 attachmentType must not be empty",
    ],
    [
      "attachment/remove",
      { threadId: "$thread", ...key, identityKey: "" },
      "-32602 identityKey must not be empty",
    ],
    ["attachment/remove", { threadId: unknown, ...key }, `-32602 thread not found: ${unknown}`],
    ["attachment/list", { threadId: "abc" }, `-32600 ${badId}`],
    ["attachment/list", { threadId: "$thread", cursor: "x" }, "-32602 invalid pagination cursor"],
    ["attachmentOwner/list", { ...key, cursor: "x" }, "-32602 invalid pagination cursor"],
    [
      "attachmentOwner/list",
      { ...key, attachmentType: "" },
      "-32602 attachmentType must not be empty",
    ],
  ])("thread/%s refuses %j", async (method, params, message) => {
    expect(await refusal(`thread/${method}`, { payload: 1, ...params })).toBe(message);
  });

  test("removing one that there is not is no mistake, and notifies nobody", async () => {
    client.heard.length = 0;

    expect(await client.call("thread/attachment/remove", { threadId, ...key })).toEqual({});
    expect(client.heard.filter(({ method }) => method.includes("attachment"))).toEqual([]);
  });

  test("an id in capitals is the same thread", async () => {
    const upper = threadId.toUpperCase();
    await client.call("thread/attachment/add", { threadId: upper, ...key, payload: null });
    const lists = [upper, threadId].map((id) =>
      client.call("thread/attachment/list", { threadId: id }),
    );
    const [one, other] = (await Promise.all(lists)) as { data: unknown[] }[];
    await client.call("thread/attachment/remove", { threadId, ...key });

    expect(one?.data).toHaveLength(1);
    expect(other).toEqual(one);
  });
});

describe("searches", () => {
  const term = { searchTerm: "elephant" };
  const cursor = (fields: object) =>
    JSON.stringify({ threadId: "$thread", ...term, next: 1, ...fields });

  test.each([
    ["search", { searchTerm: "" }, "-32600 thread/search requires a non-empty searchTerm"],
    ["search", { searchTerm: " \n" }, "-32600 thread/search requires a non-empty searchTerm"],
    [
      "searchOccurrences",
      { threadId: "$thread", searchTerm: " " },
      "-32600 thread/searchOccurrences requires a non-empty searchTerm",
    ],
    ["searchOccurrences", { threadId: "abc", ...term }, `-32600 ${badId}`],
    [
      "searchOccurrences",
      { threadId: unknown, ...term },
      "-32601 thread/searchOccurrences is not supported yet",
    ],
  ])("thread/%s refuses %j", async (method, params, message) => {
    expect(await refusal(`thread/${method}`, params)).toBe(message);
  });

  test.each([
    "",
    "junk",
    "1",
    "null",
    "{}",
    cursor({ searchTerm: "other" }),
    cursor({ threadId: unknown }),
    cursor({ next: "1" }),
    cursor({ next: 1.5 }),
    cursor({ next: null }),
    cursor({ next: -1 }),
  ])("thread/searchOccurrences refuses the cursor %s", async (text) => {
    const own = text.replace("$thread", threadId);
    const call = client.call("thread/searchOccurrences", { threadId, ...term, cursor: own });

    await expect(call).rejects.toMatchObject({ code: -32600, message: `invalid cursor: ${own}` });
  });

  test.each([
    [undefined, 3, 3],
    [1, 1, 3],
    [2, 2, 3],
    [0, 1, 3],
    [100_000, 3, 3],
  ])("a page of %s occurrences has %d of %d", async (limit, size, total) => {
    const found = [];
    let cursor: string | null | undefined;
    do {
      const page = (await client.call("thread/searchOccurrences", {
        threadId,
        ...term,
        limit,
        cursor,
      })) as { data: unknown[]; nextCursor: string | null };
      if (found.length === 0) expect(page.data).toHaveLength(size);
      found.push(...page.data);
      cursor = page.nextCursor;
    } while (cursor !== null);

    expect(found).toHaveLength(total);
  });
});

describe("the queue", () => {
  test.each([
    ["list", { threadId: "abc" }, `-32600 ${badId}`],
    [
      "list",
      { threadId: unknown },
      `-32603 failed to read thread: invalid thread-store request: no rollout found for thread id ${unknown}`,
    ],
    ["add", { input: [] }, "-32600 only user input can be added to the user-message queue"],
    [
      "reorder",
      { queuedSubmissionIds: ["a"] },
      "-32600 queue reorder must include every queued submission exactly once",
    ],
    ["start", {}, "-32600 queue is empty"],
    ["start", { queuedSubmissionId: "a" }, "-32600 queued submission not found: a"],
    ["update", { queuedSubmissionId: "a", input: [] }, "-32600 queued submission not found: a"],
  ])("thread/queue/%s refuses %j", async (method, params, message) => {
    const all = { threadId: "$thread", clientUserMessageId: "m", ...params };

    expect(await refusal(`thread/queue/${method}`, all)).toBe(message);
  });

  test.each(["-1", "1.5", "x", "", "1 ", "9".repeat(16)])(
    "thread/queue/list refuses the cursor %j",
    async (cursor) => {
      expect(await refusal("thread/queue/list", { threadId: "$thread", cursor })).toBe(
        "-32600 invalid queue pagination cursor: invalid digit found in string",
      );
    },
  );

  test("deleting what is not queued, and ordering nothing, are no mistakes", async () => {
    expect(await client.call("thread/queue/delete", { threadId, queuedSubmissionId: "a" })).toEqual(
      { deleted: false },
    );
    expect(
      await client.call("thread/queue/reorder", { threadId, queuedSubmissionIds: [] }),
    ).toEqual({});
  });
});

describe("usage", () => {
  const read = (params: object = {}) => client.call("usage/read", params);

  test.each([
    [{ threadId: "abc" }, `-32600 ${badId}`],
    [{ by: "week" }, expect.stringMatching(/^-32600 .*by/)],
    [{ by: 5 }, expect.stringMatching(/^-32600 .*by/)],
  ])("usage/read refuses %j", async (params, message) => {
    expect(await refusal("usage/read", params)).toEqual(message);
  });

  test("an unknown thread has used nothing", async () => {
    expect(await read({ threadId: unknown })).toMatchObject({
      rows: [],
      total: { responses: 0, totalTokens: 0, cost: 0, unpricedModels: [] },
    });
  });
});
