import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readConversation } from "../../src/rollout/index.js";
import { readRollout } from "../../src/rollout/read.js";
import { Warnings } from "../../src/rollout/warnings.js";
import { item, line, message, meta, said, temporaryHome, texts } from "./support.js";

test("unreadable lines are skipped, each with a warning", async () => {
  await using home = await temporaryHome();
  const path = home.write("r.jsonl", [
    meta(),
    "{not json\n",
    "\n",
    "   \r\n",
    '{"record_type":"response","index":0}\n',
    line("mystery", {}),
    line("mystery", {}),
    line("world_state", { full: true }),
    line("response_item", { type: "message", role: "user" }),
    item(message("user", "kept")),
  ]);

  const conversation = await readConversation(path);

  expect(texts(conversation.items)).toEqual(["kept"]);
  expect(conversation.warnings).toEqual([
    "Line 2 was skipped: it is not JSON.",
    "Line 5 was skipped: A rollout line must be an object with a timestamp.",
    "Line 9 was skipped: item.content is missing.",
    'Lines of unknown kind "mystery" were skipped (2 times).',
  ]);
});

test("a truncated last line is skipped, one that only lacks its newline is read", async () => {
  await using home = await temporaryHome();
  const whole = home.write("whole.jsonl", [meta(), JSON.stringify(item(message("user", "hi")))]);
  const torn = home.write("torn.jsonl", [meta(), item(message("user", "hi")), '{"timestamp":"2']);

  const [a, b] = [await readConversation(whole), await readConversation(torn)];

  expect([texts(a.items), a.warnings]).toEqual([["hi"], []]);
  expect([texts(b.items), b.warnings]).toEqual([
    ["hi"],
    [
      "The last line (3) is truncated after 15 bytes and was skipped: the program exited, or the " +
        "disk was full, while it was written.",
    ],
  ]);
});

test("invalid UTF-8 affects only its own line", async () => {
  await using home = await temporaryHome();
  const path = home.write("r.jsonl", [meta()]);
  home.append("r.jsonl", Buffer.concat([Buffer.alloc(5), Buffer.from("\n")]));
  home.append("r.jsonl", Buffer.from([0x22, 0xff, 0xfe, 0x22, 0x0a]));
  home.append("r.jsonl", `${JSON.stringify(item(message("user", "kept")))}\n`);

  const conversation = await readConversation(path);

  expect(texts(conversation.items)).toEqual(["kept"]);
  expect(conversation.warnings).toEqual([
    "Line 2 was skipped: it contains NUL bytes.",
    "Line 3 was skipped: it is not UTF-8 text.",
  ]);
});

test("a line over the limit is skipped without being buffered", async () => {
  await using home = await temporaryHome();
  const long = "x".repeat(2_000_000);
  const path = home.write("r.jsonl", [
    meta(),
    ...said("user", long),
    item(message("user", "kept")),
  ]);
  const seen: string[] = [];
  const warnings = new Warnings();

  await readRollout(
    path,
    { line: ({ type }) => void seen.push(type) },
    { warnings, maxLineBytes: 1_000_000 },
  );

  expect(seen).toEqual(["session_meta", "response_item"]);
  expect(warnings.list()).toEqual([
    "Line 2 was skipped: its 2000151 bytes exceed the limit of 1000000 bytes.",
    "Line 3 was skipped: its 2000122 bytes exceed the limit of 1000000 bytes.",
  ]);
});

test("a corrupt file reports its first problems and their number", async () => {
  await using home = await temporaryHome();
  const path = home.write("r.jsonl", [meta(), "x\n".repeat(500)]);

  const { warnings } = await readConversation(path);

  expect(warnings).toHaveLength(21);
  expect(warnings.at(-1)).toBe("There are 480 more problems like these.");
});

test("a file that is no conversation is refused with the reference's errors", async () => {
  await using home = await temporaryHome();
  const blank = home.write("blank.jsonl", ["\n \n"]);
  const headless = home.write("headless.jsonl", said("user", "hi"));
  const pipe = join(home.path, "pipe.jsonl");
  execFileSync("mkfifo", [pipe]);

  const outcomes = [blank, headless, join(home.path, "none.jsonl"), home.path, pipe].map((path) =>
    readConversation(path).catch((error: unknown) => error),
  );

  expect(await Promise.all(outcomes)).toMatchObject([
    { code: "invalid_request", message: "empty session file" },
    { code: "invalid_request", message: "failed to parse conversation ID from rollout file" },
    { code: "not_found", message: `No rollout at ${join(home.path, "none.jsonl")}` },
    { code: "invalid_request", message: `${home.path} is not a file` },
    { code: "invalid_request", message: `${pipe} is not a file` },
  ]);
});

test("lines that cross the borders of the pieces a file is read in stay whole", async () => {
  await using home = await temporaryHome();
  const sent = Array.from({ length: 900 }, (_, n) => `${n} ${"é€😀".repeat(n)}`);
  const path = join(home.path, "r.jsonl");
  writeFileSync(
    path,
    [meta(), ...sent.map((text) => item(message("user", text)))]
      .map((one) => JSON.stringify(one))
      .join("\r\n"),
  );

  const conversation = await readConversation(path);

  expect(texts(conversation.items)).toEqual(sent);
  expect(conversation.warnings).toEqual([]);
});
