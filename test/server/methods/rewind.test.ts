import { readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { ThreadTreeResponse } from "../../../src/protocol/rpc/v2/rewind.js";
import type { ResponseItem } from "../../../src/protocol/types.js";
import { readConversation } from "../../../src/rollout/index.js";
import { full, gone, patches, rewind, runs, turnTexts, write } from "./rewind-support.js";
import { talk } from "./support.js";
import { begin, startAppServer } from "./thread.js";

test("a rewind restores the files of commands and patches, and the conversation", async () => {
  const model = [
    ...runs("echo two >> a.txt; mkdir sub; echo new > sub/b.txt; rm c.txt; chmod 700 run.sh", "c1"),
    ...patches("*** Update File: a.txt\n@@\n-one\n+ONE", "c2"),
  ];
  await using server = await startAppServer({ model });
  const { workspace: cwd } = server;
  await write(cwd, { "a.txt": "one\n", "c.txt": "c\n", "run.sh": "#!" });
  const client = server.connect();
  const threadId = await begin(client, { cwd, ...full });
  const first = await talk(client, threadId, "first");
  const second = await talk(client, threadId, "second");
  expect(await readFile(join(cwd, "a.txt"), "utf8")).toBe("ONE\ntwo\n");

  const preview = await rewind(client, { threadId, turnId: first, what: "both", dryRun: true });
  expect(preview).toMatchObject({ rewindId: null, dryRun: true, numTurns: 2, conflicts: [] });
  expect(
    preview.files.map(({ path, kind, additions, deletions }) => [path, kind, additions, deletions]),
  ).toEqual(
    expect.arrayContaining([
      [join(cwd, "a.txt"), "update", 1, 2],
      [join(cwd, "c.txt"), "add", 1, 0],
      [join(cwd, "sub/b.txt"), "delete", 0, 1],
      [join(cwd, "run.sh"), "update", 0, 0],
    ]),
  );
  expect(await readFile(join(cwd, "a.txt"), "utf8")).toBe("ONE\ntwo\n");

  await rewind(client, { threadId, turnId: second, what: "files" });
  expect(await readFile(join(cwd, "a.txt"), "utf8")).toBe("one\ntwo\n");
  const done = await rewind(client, { threadId, turnId: first, what: "both" });
  expect(done).toMatchObject({ dryRun: false, numTurns: 2, what: "both" });
  expect(await readFile(join(cwd, "a.txt"), "utf8")).toBe("one\n");
  expect(await readFile(join(cwd, "c.txt"), "utf8")).toBe("c\n");
  expect(await gone(join(cwd, "sub"))).toBe(true);
  expect((await stat(join(cwd, "run.sh"))).mode & 0o777).toBe(0o644);
  await client.until("thread/rewound");
  expect(await turnTexts(client, threadId)).toEqual([]);

  await client.call("thread/rewind/undo", { threadId });
  expect(await readFile(join(cwd, "a.txt"), "utf8")).toBe("one\ntwo\n");
  expect(await readFile(join(cwd, "sub/b.txt"), "utf8")).toBe("new\n");
  expect(await turnTexts(client, threadId)).toEqual(["first", "second"]);
});

test("a change of somebody else refuses the rewind, and is never overwritten", async () => {
  await using server = await startAppServer({
    model: runs("echo b > a.txt; echo n > n.txt", "c1"),
  });
  const { workspace: cwd } = server;
  await write(cwd, { "a.txt": "a\n" });
  const client = server.connect();
  const threadId = await begin(client, { cwd, ...full });
  const turnId = await talk(client, threadId, "go");
  await writeFile(join(cwd, "a.txt"), "mine\n");

  const refused = rewind(client, { threadId, turnId, what: "files" });
  await expect(refused).rejects.toThrow(/a\.txt: it was changed since/);
  expect(await readFile(join(cwd, "n.txt"), "utf8")).toBe("n\n");

  const skipped = await rewind(client, { threadId, turnId, what: "files", skipConflicts: true });
  expect(skipped.conflicts).toMatchObject([{ path: join(cwd, "a.txt") }]);
  expect(await gone(join(cwd, "n.txt"))).toBe(true);
  expect(await readFile(join(cwd, "a.txt"), "utf8")).toBe("mine\n");
});

test("by default only the conversation is rewound, and the removed turns stay a branch", async () => {
  const answers = ["one", "two", "three"].map((message) => [{ message }]);
  await using server = await startAppServer({ model: answers });
  const client = server.connect();
  const threadId = await begin(client);
  const first = await talk(client, threadId, "1");
  const second = await talk(client, threadId, "2");

  const result = await rewind(client, { threadId, turnId: second });
  expect(result).toMatchObject({ what: "chat", numTurns: 1, files: [] });
  const third = await talk(client, threadId, "3");

  const tree = (await client.call("thread/tree", { threadId })) as ThreadTreeResponse;
  expect(tree.activeTurnId).toBe(third);
  expect(tree.data).toMatchObject([
    { turnId: first, parentTurnId: null, isActive: true, text: "1", status: "completed" },
    { turnId: second, parentTurnId: first, isActive: false, text: "2" },
    { turnId: third, parentTurnId: first, isActive: true, text: "3" },
  ]);

  await client.call("thread/tree/switch", { threadId, turnId: second });
  expect(await turnTexts(client, threadId)).toEqual(["1", "2"]);
  const after = (await client.call("thread/tree", { threadId })) as ThreadTreeResponse;
  expect(after.activeTurnId).toBe(second);
  expect(after.data).toHaveLength(3);
});

test("the model and the file have the branch that was switched to", async () => {
  const answers = ["one", "two", "three", "four"].map((message) => [{ message }]);
  await using server = await startAppServer({ model: answers });
  const client = server.connect();
  const threadId = await begin(client);
  await talk(client, threadId, "1");
  const second = await talk(client, threadId, "2");
  await rewind(client, { threadId, turnId: second });
  await talk(client, threadId, "3");
  await client.call("thread/tree/switch", { threadId, turnId: second });
  await talk(client, threadId, "4");

  const sent = server.prompts.at(-1)?.input ?? [];
  expect(spoken(sent)).toEqual(["1", "one", "2", "two", "4"]);
  const { rollout_path: path } = server.server.threads.find(threadId)?.configured ?? {};
  const { items } = await readConversation(path ?? "");
  expect(spoken(items)).toEqual(["1", "one", "2", "two", "4", "four"]);
});

function spoken(items: readonly ResponseItem[]): string[] {
  const said = items.flatMap((item) => (item.type === "message" ? item.content : []));
  const all = said.flatMap((part) => ("text" in part ? [part.text] : []));
  return all.filter((text) => /^(\d|one|two|three|four)$/.test(text));
}
