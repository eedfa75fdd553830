import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import {
  forkConversation,
  readConversation,
  readTurns,
  writeForkFile,
} from "../../src/rollout/index.js";
import { event, line, metaOf, said, type TestHome, temporaryHome, texts } from "./support.js";

const day = "sessions/2025/01/01";
const [first, second, third] = ["1", "2", "3"].map(
  (n) => `0192c7a1-0000-7000-8000-00000000000${n}`,
);

/** Writes a file whose lines are numbered from `from` on, the meta included; returns its size. */
function write(home: TestHome, id: string | undefined, base: object | undefined, lines: object[]) {
  const { end_ordinal_exclusive: from = 0 } = (base ?? {}) as { end_ordinal_exclusive?: number };
  const payload = { ...metaOf({ id: id ?? "" }), history_mode: "paginated", history_base: base };
  const all = [line("session_meta", payload), ...lines];
  const numbered = all.map((one, at) => ({ ordinal: from + at, ...one }));
  const path = home.write(`${day}/rollout-2025-01-01T00-00-00-${id}.jsonl`, numbered);
  return { path, ordinal: from + all.length, bytes: readFileSync(path).length };
}

function turn(id: string, text: string, answer: string): object[] {
  return [
    event("task_started", { turn_id: id }),
    ...said("user", text),
    ...said("assistant", answer),
    event("task_complete", { turn_id: id, last_agent_message: answer }),
  ];
}

function baseOn(id: string | undefined, { ordinal, bytes }: { ordinal: number; bytes: number }) {
  return { thread_id: id, end_ordinal_exclusive: ordinal, end_byte_offset: bytes };
}

async function writeChain(home: TestHome) {
  const oldest = write(home, first, undefined, turn("t1", "one", "two"));
  home.append(`${day}/rollout-2025-01-01T00-00-00-${first}.jsonl`, '{"later":"not copied"}\n');
  const middle = write(home, second, baseOn(first, oldest), turn("t2", "three", "four"));
  return write(home, third, baseOn(second, middle), turn("t3", "five", "six"));
}

test("a conversation that begins in the files of others is read as a whole", async () => {
  await using home = await temporaryHome();
  const { path } = await writeChain(home);

  const conversation = await readConversation(path);
  const { turns } = await readTurns(path);

  expect(texts(conversation.items)).toEqual(["one", "two", "three", "four", "five", "six"]);
  expect(conversation.initialMessages.filter(({ type }) => type === "user_message")).toHaveLength(
    3,
  );
  expect(conversation).toMatchObject({ id: third, inheritedUserMessages: 2, warnings: [] });
  expect(conversation.turns.map(({ id }) => id)).toEqual(["t3"]);
  expect(turns.map(({ id }) => id)).toEqual(["t1", "t2", "t3"]);
});

test("a missing base file is a warning, and the rest is read", async () => {
  await using home = await temporaryHome();
  const base = { thread_id: first, end_ordinal_exclusive: 5, end_byte_offset: 100 };
  const { path } = write(home, second, base, turn("t2", "three", "four"));

  const { items, warnings } = await readConversation(path);

  expect(texts(items)).toEqual(["three", "four"]);
  expect(warnings).toEqual([
    `The start of this conversation is in conversation ${first}, whose file is missing; earlier ` +
      "messages are not available.",
  ]);
});

test("files that name each other as their beginning are read once", async () => {
  await using home = await temporaryHome();
  const base = (id: string | undefined) => baseOn(id, { ordinal: 9, bytes: 100_000 });
  write(home, first, base(second), turn("t1", "one", "two"));
  const { path } = write(home, second, base(first), turn("t2", "three", "four"));

  const { items, warnings } = await readConversation(path);

  expect(texts(items)).toEqual(["one", "two", "three", "four"]);
  expect(warnings).toHaveLength(1);
});

test("a copy of such a conversation keeps its beginning and its numbers", async () => {
  await using home = await temporaryHome();
  const { path } = await writeChain(home);
  const copy = join(
    home.path,
    day,
    `rollout-2025-01-02T00-00-00-${"4".repeat(8)}${third?.slice(8)}.jsonl`,
  );

  const forked = await forkConversation(path, { type: "end" });
  await writeForkFile(forked, { path: copy, meta: metaOf({ id: "new" }), now: () => 0 });

  const [head, ...lines] = readFileSync(copy, "utf8")
    .trimEnd()
    .split("\n")
    .map((text) => JSON.parse(text));
  const source = readFileSync(path, "utf8")
    .trimEnd()
    .split("\n")
    .map((text) => JSON.parse(text));
  expect(lines).toEqual(source.slice(1));
  expect(head).toMatchObject({
    ordinal: source[0].ordinal,
    payload: {
      id: "new",
      forked_from_id: third,
      history_mode: "paginated",
      history_base: source[0].payload.history_base,
    },
  });
  const { items } = await readConversation(copy);
  expect(texts(items)).toEqual(["one", "two", "three", "four", "five", "six"]);
});

test("a fork can start at its own messages, and the error names the source of inherited ones", async () => {
  await using home = await temporaryHome();
  const { path } = await writeChain(home);

  const forked = await forkConversation(path, { type: "before_user_message", index: 2 });
  const refused = forkConversation(path, { type: "before_user_message", index: 1 });

  expect(texts(forked.conversation.items)).toEqual(["one", "two", "three", "four"]);
  await expect(refused).rejects.toThrow("is in the conversation it was forked from");
});
