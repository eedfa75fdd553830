import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Project } from "../../../src/protocol/rpc/v2/project.js";
import type { ThreadSection } from "../../../src/protocol/rpc/v2/section.js";
import type { Thread } from "../../../src/protocol/rpc/v2/thread.js";
import { says } from "../../support/model.js";
import type { TestClient } from "../../support/server.js";
import { type Page, talk } from "./support.js";
import { initialize, startAppServer, startThread } from "./thread.js";

const unknown = "00000000-0000-7000-8000-000000000000";
const pinned = {
  id: "01984de2-8f74-7c91-a3b2-5c5e937cf318",
  name: "Pinned",
  appearance: null,
};

/** Starts a server with stored threads. */
async function start(count = 1) {
  const model = Array.from({ length: count }, () => says("One."));
  const server = await startAppServer({ model });
  const client = server.connect();
  await initialize(client, { experimentalApi: true });
  const threads: string[] = [];
  for (let index = 0; index < count; index++) {
    const threadId = await startThread(client);
    await talk(client, threadId, `prompt ${index}`);
    threads.push(threadId);
  }
  client.heard.length = 0;
  const dispose = () => server[Symbol.asyncDispose]();
  return { server, client, threads, ...callsOf(client), [Symbol.asyncDispose]: dispose };
}

function callsOf(client: TestClient) {
  return {
    call: <Result = unknown>(method: string, params: object = {}) =>
      client.call(method, params) as Promise<Result>,
    /** Returns the code and message of a refusal. */
    refusal: (method: string, params: object = {}) =>
      client.call(method, params).then(
        () => "accepted",
        ({ code, message }: { code: number; message: string }) => `${code} ${message}`,
      ),
    /** Returns the notifications since the last call. */
    told: (prefix: RegExp) =>
      client.heard
        .splice(0)
        .filter(({ method }) => prefix.test(method))
        .map(({ method, params }) => [method, params]),
  };
}

test("sections group threads in the user's order, and threads show their section", async () => {
  await using scene = await start(3);
  const { threads, call } = scene;
  const [first, second, third] = threads;
  const list = async (params: object) =>
    (await call<Page<Thread>>("thread/list", params)).data.map(({ id }) => threads.indexOf(id));
  const appearance = { icon: "star", color: null };

  const { section } = await call<{ section: ThreadSection }>("threadSection/create", {
    name: " Work ",
    appearance: { icon: "star" },
  });
  const { id: sectionId } = section;
  await call("thread/section/move", { threadId: first, sectionId });
  await call("thread/section/move", { threadId: second, sectionId, beforeThreadId: first });
  const all = await call<Page<ThreadSection>>("threadSection/list");
  const page = await call<Page<ThreadSection>>("threadSection/list", { limit: 1 });
  const rest = await call("threadSection/list", { cursor: page.nextCursor });
  const read = await call<{ thread: Thread }>("thread/read", { threadId: first });
  const byPosition = { sectionId, sortKey: "section_position" };

  expect(section).toEqual({ id: expect.any(String), name: "Work", appearance });
  expect(all).toEqual({ data: [pinned, section], nextCursor: null });
  expect(page.data).toEqual([pinned]);
  expect(rest).toEqual({ data: [section], nextCursor: null });
  expect(read.thread).toMatchObject({ section, sectionEnteredAt: expect.any(Number) });
  expect(await list(byPosition)).toEqual([1, 0]);
  const one = await call<Page<Thread>>("thread/list", { ...byPosition, limit: 1 });
  expect(await list({ ...byPosition, cursor: one.nextCursor })).toEqual([0]);
  expect(await list({ sectionId: null })).toEqual([2]);
  expect(await list({ sectionId: "nope" })).toEqual([]);

  await call("threadSection/update", { sectionId, name: "Play", appearance: null });
  await call("thread/section/move", { threadId: first, sectionId: pinned.id });
  await call("thread/delete", { threadId: second });
  expect(await list({ sectionId })).toEqual([]);
  expect(await list({ sectionId: pinned.id })).toEqual([0]);
  await call("threadSection/delete", { sectionId });
  expect((await call<Page<Thread>>("thread/list")).data).toMatchObject([
    { id: third, section: null },
    { id: first, section: pinned },
  ]);
});

test("mistakes with sections are refused", async () => {
  await using scene = await start();
  const { refusal, threads } = scene;
  const [threadId = ""] = threads;
  const move = (params: object) => refusal("thread/section/move", { threadId, ...params });

  expect(await refusal("threadSection/create", { name: "  " })).toBe(
    "-32602 section name must not be empty",
  );
  expect(await refusal("threadSection/update", { sectionId: pinned.id, name: "x" })).toBe(
    "-32602 the built-in pinned section cannot be renamed",
  );
  expect(await refusal("threadSection/delete", { sectionId: pinned.id })).toBe(
    "-32602 the built-in pinned section cannot be deleted",
  );
  expect(await refusal("threadSection/delete", { sectionId: "nope" })).toBe(
    "-32602 thread section not found: nope",
  );
  expect(await move({ sectionId: "nope" })).toBe("-32600 section nope does not exist");
  expect(await move({ sectionId: null, beforeThreadId: unknown })).toBe(
    "-32600 beforeThreadId requires a non-null sectionId",
  );
  expect(await move({ sectionId: pinned.id, beforeThreadId: threadId })).toBe(
    `-32600 thread ${threadId} cannot be moved before itself`,
  );
  expect(await move({ sectionId: pinned.id, beforeThreadId: unknown })).toBe(
    `-32600 before thread ${unknown} is not in section ${pinned.id}`,
  );
  expect(await move({ threadId: unknown, sectionId: pinned.id })).toBe(
    `-32600 thread not found: ${unknown}`,
  );
  expect(await refusal("thread/list", { sortKey: "section_position" })).toBe(
    "-32600 section-position sorting requires a section filter",
  );
});

test("projects are created once per key, changed, moved and deleted, and clients are notified", async () => {
  await using scene = await start();
  const { call, told, threads } = scene;
  const [threadId = ""] = threads;
  const create = async (idempotencyKey: string, name: string) =>
    (await call<{ project: Project }>("project/create", { idempotencyKey, name, roots: [] }))
      .project;

  const alpha = await create("k1", "Alpha");
  const again = await create("k1", "Other");
  const beta = await create("k2", "Beta");
  expect(told(/project/)).toEqual([
    ["project/changed", { projectId: alpha.id, changeType: "created" }],
    ["project/changed", { projectId: beta.id, changeType: "created" }],
  ]);
  expect(alpha).toEqual({
    id: expect.any(String),
    name: "Alpha",
    roots: [],
    metadata: {},
    position: 0,
    createdAt: expect.any(Number),
    updatedAt: expect.any(Number),
    recencyAt: null,
  });
  expect(again).toEqual(alpha);

  const roots = [{ path: "/work" }];
  const changed = await call("project/update", { projectId: alpha.id, name: "Gamma", roots });
  const assigned = await call("thread/metadata/update", { threadId, projectId: alpha.id });
  const listed = await call<Page<Thread>>("thread/list", { projectId: alpha.id });
  await call("project/move", { projectId: beta.id, beforeProjectId: alpha.id });
  const byPosition = await call<Page<Project>>("project/list", { limit: 1 });
  const rest = await call<Page<Project>>("project/list", { cursor: byPosition.nextCursor });
  const byRecency = await call<Page<Project>>("project/list", { sortKey: "recencyAt" });
  expect(changed).toMatchObject({ project: { name: "Gamma", roots } });
  expect(assigned).toMatchObject({ thread: { id: threadId, projectId: alpha.id } });
  expect(listed.data).toMatchObject([{ id: threadId }]);
  expect(byPosition.data).toMatchObject([{ name: "Beta", position: 0 }]);
  expect(rest.data).toMatchObject([{ name: "Gamma", position: 1 }]);
  expect(byRecency.data).toMatchObject([{ name: "Gamma" }, { name: "Beta", recencyAt: null }]);
  expect(told(/project/)).toEqual([
    ["project/changed", { projectId: alpha.id, changeType: "updated" }],
    ["thread/project/updated", { threadId, projectId: alpha.id }],
    ["project/changed", { projectId: beta.id, changeType: "updated" }],
  ]);

  const imported = await call<{ project: Project }>("project/import", {
    idempotencyKey: "k3",
    name: "Imported",
    roots: [],
    threads: [threadId],
  });
  expect(imported.project).toMatchObject({ position: 2, recencyAt: expect.any(Number) });
  await call("project/delete", { projectId: imported.project.id });
  expect((await call<{ thread: Thread }>("thread/read", { threadId })).thread.projectId).toBeNull();
});

test.each([
  ["create", { idempotencyKey: "k", name: " ", roots: [] }, "project name must not be empty"],
  ["create", { idempotencyKey: "", name: "x", roots: [] }, "idempotencyKey must not be empty"],
  [
    "create",
    { idempotencyKey: "k", name: "x", roots: [{ path: "here" }] },
    'Expected the roots of a project to be absolute paths (got "here")',
  ],
  ["read", { projectId: "nope" }, "project not found: nope"],
  ["move", { projectId: "nope" }, "project not found: nope"],
  [
    "import",
    { idempotencyKey: "k", name: "x", roots: [], threads: [unknown] },
    `thread not found: ${unknown}`,
  ],
  ["list", { cursor: "junk" }, "invalid project cursor: malformed or mismatched sort anchor"],
])("project/%s refuses %o", async (method, params, message) => {
  await using scene = await start(0);

  expect(await scene.refusal(`project/${method}`, params)).toBe(`-32602 ${message}`);
});

test("an attachment is added once, listed by thread and by owner, and removed", async () => {
  await using scene = await start();
  const { call, refusal, told, threads } = scene;
  const [threadId = ""] = threads;
  const identity = { attachmentType: "pull_request", identityKey: "pr-1" };
  const add = (payload: unknown) =>
    call<{ attachment: { id: string } }>("thread/attachment/add", {
      threadId,
      ...identity,
      payload,
    });
  const owners = (archived?: boolean) =>
    call("thread/attachmentOwner/list", { ...identity, archived });

  const { attachment } = await add({ n: 1 });
  const again = await add({ n: 2 });
  const page = await call("thread/attachment/list", { threadId });
  const { id: attachmentId } = attachment;
  expect(attachment).toEqual({
    id: attachmentId,
    ...identity,
    payload: { n: 1 },
    createdAt: expect.any(Number),
  });
  expect(again).toEqual({ outcome: "existing", attachment });
  expect(page).toEqual({ data: [attachment], nextCursor: null });
  expect(await owners()).toEqual({ data: [{ threadId, archived: false }], nextCursor: null });
  expect(await owners(true)).toEqual({ data: [], nextCursor: null });
  await call("thread/archive", { threadId });
  expect(await owners(true)).toEqual({ data: [{ threadId, archived: true }], nextCursor: null });
  for (let count = 0; count < 2; count++) {
    expect(await call("thread/attachment/remove", { threadId, ...identity })).toEqual({});
  }
  const updated = "thread/attachment/updated";
  expect(told(/attachment/)).toEqual([
    [updated, { threadId, ...identity, attachmentId, operation: "created" }],
    [updated, { threadId, ...identity, attachmentId, operation: "deleted" }],
  ]);
  expect(
    await refusal("thread/attachment/add", { threadId: unknown, ...identity, payload: null }),
  ).toBe(`-32602 thread not found: ${unknown}`);
  expect(
    await refusal("thread/attachment/add", { threadId, ...identity, identityKey: "", payload: 1 }),
  ).toBe("-32602 identityKey must not be empty");
  expect(await refusal("thread/attachment/list", { threadId, cursor: "junk" })).toBe(
    "-32602 invalid pagination cursor",
  );
});

test("git facts of a thread are changed one by one", async () => {
  await using scene = await start();
  const { call, refusal, threads } = scene;
  const [threadId = ""] = threads;
  const update = (params: object) =>
    call<{ thread: Thread }>("thread/metadata/update", { threadId, ...params });
  const refused = (params: object) => refusal("thread/metadata/update", { threadId, ...params });

  await update({
    gitInfo: { branch: "feature/x", sha: "abc", originUrl: "https://example.com/r" },
  });
  const { thread } = await update({ gitInfo: { branch: null } });
  const [listed] = (await call<Page<Thread>>("thread/list")).data;

  const gitInfo = { sha: "abc", branch: null, originUrl: "https://example.com/r" };
  expect(thread).toMatchObject({ id: threadId, gitInfo });
  expect(listed).toMatchObject({ gitInfo });
  expect(await refused({})).toBe("-32600 thread metadata update must include at least one field");
  expect(await refused({ gitInfo: {} })).toBe("-32600 gitInfo must include at least one field");
  expect(await refused({ gitInfo: { branch: " " } })).toBe(
    "-32600 gitInfo.branch must not be empty",
  );
  expect(await refused({ projectId: "nope" })).toBe("-32600 project not found: nope");
  expect(await refused({ threadId: unknown, gitInfo: { branch: "x" } })).toBe(
    `-32600 no rollout found for thread id ${unknown}`,
  );
});

test("a damaged file does not hide the threads", async () => {
  await using scene = await start();
  const { call, refusal, server, threads } = scene;
  await writeFile(join(server.home, "quire-organization.json"), "{");

  expect((await call<Page<Thread>>("thread/list")).data).toMatchObject([{ id: threads[0] }]);
  expect(await refusal("threadSection/create", { name: "Work" })).toContain("is not valid");
});

test("`thread/start` assigns a new thread to a project", async () => {
  await using scene = await start(1);
  const { call, refusal, client } = scene;
  const roots = [{ path: "/work" }];
  const { project } = await call<{ project: Project }>("project/create", {
    name: "P",
    roots,
    idempotencyKey: "k",
  });
  const open = async (params: object) =>
    (await call<{ thread: Thread }>("thread/start", { projectId: project.id, ...params })).thread;

  const durable = await open({});
  const passing = await open({ ephemeral: true });

  expect([durable.projectId, passing.projectId]).toEqual([project.id, project.id]);
  await call("turn/start", { threadId: durable.id, input: [{ type: "text", text: "go" }] });
  await client.until("turn/completed");
  const { data } = await call<Page<Thread>>("thread/list", { projectId: project.id });
  expect(data.map(({ id }) => id)).toEqual([durable.id]);
  const { thread } = await call<{ thread: Thread }>("thread/read", { threadId: passing.id });
  expect(thread.projectId).toBe(project.id);
  expect(await refusal("thread/start", { projectId: "x" })).toBe("-32600 project not found: x");
  expect(await refusal("thread/start", { projectId: "" })).toBe(
    "-32600 projectId must not be empty",
  );
  expect(await refusal("thread/start", { daybreakEnabled: true })).toContain(
    "`daybreakEnabled` is not supported",
  );
});
