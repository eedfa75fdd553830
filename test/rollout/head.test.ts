import { expect, test } from "vitest";
import {
  type RolloutHead,
  readHead,
  readThreadFacts,
  toThreadFacts,
} from "../../src/rollout/head.js";
import { event, item, message, meta, said, temporaryHome, texts } from "./support.js";

const environment = message("user", "<environment_context>x</environment_context>");

test("the head has the meta, the first items and the first user message", async () => {
  await using home = await temporaryHome();
  const path = home.write("r.jsonl", [
    meta(),
    item(environment),
    ...said("user", "hi"),
    ...said("assistant", "hello"),
  ]);

  const head = await readHead(path);

  expect(head.meta?.cwd).toBe("/w");
  expect(head.userMessage).toBe("hi");
  expect(head.hasUserEvent).toBe(true);
  expect(head.records).toHaveLength(3);
});

test("at most ten records are read, and the message is searched further", async () => {
  await using home = await temporaryHome();
  const context = Array.from({ length: 30 }, () => item(environment));
  const path = home.write("r.jsonl", [meta(), ...context, ...said("user", "late")]);

  const head = await readHead(path);

  expect(head.records).toHaveLength(10);
  expect(head.userMessage).toBe("late");
  expect(head.hasUserEvent).toBe(false);
});

test("a user message after 210 lines is not found", async () => {
  await using home = await temporaryHome();
  const context = Array.from({ length: 220 }, () => item(environment));
  const path = home.write("r.jsonl", [meta(), ...context, ...said("user", "too late")]);

  expect((await readHead(path)).userMessage).toBeUndefined();
  expect(await readThreadFacts(path)).toBeUndefined();
});

test.each<[string, unknown[]]>([
  ["an empty file", []],
  ["invalid lines", ["{broken\n", "[]\n", "\n"]],
  ["a meta without a user message", [meta()]],
  ["a user message without a meta", said("user", "hi")],
])("%s has no facts", async (_name, lines) => {
  await using home = await temporaryHome();

  expect(await readThreadFacts(home.write("r.jsonl", lines))).toBeUndefined();
});

test("a missing file has an empty head", async () => {
  expect(await readHead("/nonexistent")).toEqual({
    meta: undefined,
    records: [],
    userMessage: undefined,
    hasUserEvent: false,
  });
});

test("items of newer files name the user message too", async () => {
  await using home = await temporaryHome();
  const content = [{ type: "text", text: "from an item" }];
  const completed = {
    thread_id: "t",
    turn_id: "u",
    item: { type: "UserMessage", id: "i", content },
  };
  const path = home.write("r.jsonl", [meta(), event("item_completed", completed)]);

  expect((await readHead(path)).userMessage).toBe("from an item");
});

test("facts come from the meta, with defaults for old files", async () => {
  await using home = await temporaryHome();
  const git = { commit_hash: "abc", branch: "main" };
  const full = { source: "cli", model_provider: "p", git, forked_from_id: "f" } as const;
  const one = home.write("a.jsonl", [meta(full), ...said("user", "hi")]);
  const old = home.write("b.jsonl", [meta(), ...said("user", "hi")]);

  expect(await readThreadFacts(one)).toMatchObject({
    source: "cli",
    provider: "p",
    git,
    forkedFromId: "f",
    preview: "hi",
  });
  expect(await readThreadFacts(old)).toMatchObject({ source: "vscode", provider: undefined });
});

const review = (results: string) =>
  `<user_action><action>review</action><results>\n${results}\n</results></user_action>`;

test.each([
  ["a request behind an editor's context", "ctx\n## My request for Codex:\n fix it ", "fix it"],
  ["a review with a finding", review("Bug in a.ts\nmore"), "Code review: Bug in a.ts"],
  ["a review without findings", review("None."), "Code review"],
  ["a plain message", "do this", "do this"],
])("the preview of %s", async (_name, text, preview) => {
  await using home = await temporaryHome();
  const path = home.write("r.jsonl", [meta(), ...said("user", text)]);

  expect((await readThreadFacts(path))?.preview).toBe(preview);
});

test("a pasted file is cut in the preview", async () => {
  await using home = await temporaryHome();
  const path = home.write("r.jsonl", [meta(), ...said("user", "é".repeat(10_000))]);

  const facts = await readThreadFacts(path);

  expect(Buffer.byteLength(facts?.preview ?? "")).toBe(4096);
  expect(texts([message("user", facts?.preview ?? "")])[0]).not.toContain("�");
});

function previewOf(userMessage: string): string | undefined {
  const meta = { id: "x", timestamp: "", cwd: "/", cli_version: "", originator: "" };
  const head = { meta, userMessage, hasUserEvent: true } as unknown as RolloutHead;
  return toThreadFacts(head)?.preview;
}

const note = (results: string) =>
  `<user_action>\n  <context>The user had the changes reviewed.</context>\n  <action>review</action>\n  <results>\n  ${results}\n  </results>\n</user_action>`;

test.each([
  [note("One bug.\n\n- more"), "Code review: One bug."],
  [note("None."), "Code review"],
  ["<user_action> is a tag", "<user_action> is a tag"],
  ["fix it", "fix it"],
])("[terminal R9] a session that starts with %j is titled %j", (message, title) => {
  expect(previewOf(message)).toBe(title);
});
