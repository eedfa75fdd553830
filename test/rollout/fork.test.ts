import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import {
  type ForkPoint,
  forkConversation,
  readConversation,
  writeForkFile,
} from "../../src/rollout/index.js";
import {
  event,
  id,
  item,
  line,
  message,
  meta,
  metaOf,
  said,
  temporaryHome,
  texts,
} from "./support.js";

const lines = [
  meta(),
  item(message("user", "<environment_context>e</environment_context>")),
  event("task_started", { turn_id: "t1" }),
  ...said("user", "one"),
  ...said("assistant", "two"),
  event("task_complete", { turn_id: "t1", response_id: "r1" }),
  event("task_started", { turn_id: "t2" }),
  ...said("user", "three"),
  line("world_state", { kept: "as it is" }),
  ...said("assistant", "four"),
  event("task_complete", { turn_id: "t2", response_id: "r2" }),
];
const environment = "<environment_context>e</environment_context>";

test.each<[ForkPoint, string[]]>([
  [{ type: "end" }, [environment, "one", "two", "three", "four"]],
  [{ type: "before_user_message", index: 0 }, [environment]],
  [{ type: "before_user_message", index: 1 }, [environment, "one", "two"]],
  [{ type: "before_user_message", index: 2 }, []],
  [{ type: "through_turn", turnId: "t1" }, [environment, "one", "two"]],
  [{ type: "before_turn", turnId: "t2" }, [environment, "one", "two"]],
  [{ type: "before_turn", turnId: "t1" }, [environment]],
  [{ type: "response", responseId: "r1" }, [environment, "one", "two"]],
])("a copy that leaves at %o keeps what came before", async (point, kept) => {
  await using home = await temporaryHome();
  const path = home.write("source.jsonl", lines);

  const fork = await forkConversation(path, point);

  expect(texts(fork.conversation.items)).toEqual(kept);
});

test("a copy that leaves before a review does not begin one", async () => {
  await using home = await temporaryHome();
  const review = event("entered_review_mode", { user_facing_hint: "all" });
  const path = home.write("source.jsonl", [
    ...lines,
    review,
    event("task_started", { turn_id: "t3" }),
    event("task_complete", { turn_id: "t3" }),
  ]);

  const before = await forkConversation(path, { type: "before_turn", turnId: "t3" });
  const through = await forkConversation(path, { type: "through_turn", turnId: "t2" });

  const untilReview = statSync(home.write("until-review.jsonl", lines)).size;
  expect([before.end, through.end]).toEqual([untilReview, untilReview]);
});

test("the error names a fork point that does not exist", async () => {
  await using home = await temporaryHome();
  const path = home.write("source.jsonl", lines);

  await expect(
    forkConversation(path, { type: "through_turn", turnId: "t9" }),
  ).rejects.toMatchObject({
    code: "not_found",
    message: `No turn t9 in conversation ${id}`,
  });
  await expect(
    forkConversation(path, { type: "response", responseId: "r9" }),
  ).rejects.toMatchObject({
    code: "not_found",
    message: `No response r9 in conversation ${id}`,
  });
});

test("the file of a copy has its own meta, that of its source and the source's lines", async () => {
  await using home = await temporaryHome();
  const source = home.write("source.jsonl", [...lines, "{torn"]);
  const path = join(home.path, "sessions", "fork.jsonl");
  const fork = await forkConversation(source, { type: "through_turn", turnId: "t2" });

  await writeForkFile(fork, { path, meta: metaOf({ id: "new" }), now: () => 0 });

  const copied = readFileSync(path, "utf8")
    .trim()
    .split("\n")
    .map((one) => JSON.parse(one));
  expect(copied).toEqual([
    {
      timestamp: "1970-01-01T00:00:00.000Z",
      type: "session_meta",
      payload: { ...metaOf({ id: "new" }), forked_from_id: id },
    },
    ...lines,
  ]);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  const conversation = await readConversation(path);
  expect([conversation.id, texts(conversation.items), conversation.warnings]).toEqual([
    "new",
    [environment, "one", "two", "three", "four"],
    [],
  ]);
});

test("a copy that cannot be written leaves no file behind", async () => {
  await using home = await temporaryHome();
  const source = home.write("source.jsonl", lines);
  home.write("blocked", ["a file where a folder is needed"]);
  const fork = await forkConversation(source, { type: "end" });
  const path = join(home.path, "blocked", "fork.jsonl");

  const writing = writeForkFile(fork, { path, meta: metaOf({ id: "new" }), now: () => 0 });

  await expect(writing).rejects.toMatchObject({ code: "io" });
});

test("messages are counted without those of turns that were taken back", async () => {
  await using home = await temporaryHome();
  const path = home.write("source.jsonl", [
    meta(),
    ...said("user", "u1"),
    ...said("assistant", "a1"),
    ...said("user", "u2"),
    ...said("assistant", "a2"),
    event("thread_rolled_back", { num_turns: 1 }),
    ...said("user", "u3"),
    ...said("assistant", "a3"),
    ...said("user", "u4"),
  ]);

  const fork = await forkConversation(path, { type: "before_user_message", index: 2 });

  expect(texts(fork.conversation.items)).toEqual(["u1", "a1", "u3", "a3"]);
});

test("turns without an id of their own are counted", async () => {
  await using home = await temporaryHome();
  const path = home.write("source.jsonl", [
    meta(),
    ...said("user", "u1"),
    ...said("assistant", "a1"),
    ...said("user", "u2"),
    ...said("assistant", "a2"),
  ]);

  const fork = await forkConversation(path, { type: "through_turn", turnId: "turn-1" });

  expect(texts(fork.conversation.items)).toEqual(["u1", "a1"]);
});

test("a response before a compaction can be gone back to", async () => {
  await using home = await temporaryHome();
  const path = home.write("source.jsonl", [
    ...lines,
    line("compacted", { message: "S", replacement_history: [message("user", "short")] }),
    ...said("user", "five"),
  ]);

  const fork = await forkConversation(path, { type: "response", responseId: "r1" });

  expect(texts(fork.conversation.items)).toEqual([environment, "one", "two"]);
});
