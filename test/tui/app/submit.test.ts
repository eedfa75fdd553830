import { expect, test } from "vitest";
import { endTurn, opened, readyApp } from "../test-app.js";

const id = opened.thread.id;

test.each([
  ["/statsu", "■ Unknown command /statsu. Did you mean /status?"],
  ["/xyzzy", "■ Unknown command /xyzzy"],
  ["/prompts:nope", "■ Unknown prompt. /prompts lists your saved prompts"],
  ["!", "■ Type a command after the !, for example !git status"],
])("%s is an error", async (text, error) => {
  await using app = await readyApp();
  app.type(`${text} `);
  app.keys("enter");
  await app.until(error);
  expect(app.server.sent("turn/start")).toEqual([]);
});

test("an unknown command stays in the composer to be corrected", async () => {
  await using app = await readyApp();
  app.type("/statsu ");
  app.keys("enter");
  await app.until("Did you mean");
  await app.until(/› \/statsu/);
});

test("a path is a message, not a command", async () => {
  await using app = await readyApp();
  app.type("/etc/hosts is wrong");
  app.keys("enter");
  await app.until("esc to interrupt");
  expect(app.server.sent("turn/start")).toMatchObject([
    { input: [{ text: "/etc/hosts is wrong" }] },
  ]);
});

test("! runs a shell command in the thread", async () => {
  await using app = await readyApp({ answers: { "thread/shellCommand": {} } });
  app.type("! git status");
  app.keys("enter");
  expect(await app.server.untilSent("thread/shellCommand")).toEqual([
    { threadId: id, command: "git status" },
  ]);
});

test("a command that changes the session is refused while a turn runs; others work", async () => {
  await using app = await readyApp();
  app.type("go");
  app.keys("enter");
  await app.until("esc to interrupt");

  app.type("/model gpt-x ");
  app.keys("enter");
  await app.until("■ /model is not available while a turn is running. Press esc to interrupt it");
  app.type("/status ");
  app.keys("enter");
  await app.until("session      ");
});

test("enter steers the running turn, and its message is shown once it is consumed", async () => {
  await using app = await readyApp();
  app.type("go");
  app.keys("enter");
  await app.until("enter: add to this turn · tab: queue for the next turn");

  app.type("also this");
  app.keys("enter");
  await app.until("↳ also this");
  expect(app.server.sent("turn/steer")).toEqual([
    {
      threadId: id,
      expectedTurnId: "turn-1",
      input: [{ type: "text", text: "also this", text_elements: [] }],
    },
  ]);
  const content = [{ type: "text", text: "also this" }];
  app.server.notify("item/completed", { item: { type: "userMessage", id: "u", content } });

  await app.until("› also this");
  await app.untilGone("↳");
});

test("a steer that the server rejects is queued, and sent when the turn ends", async () => {
  await using app = await readyApp({ answers: { "turn/steer": new Error("not now") } });
  app.type("go");
  app.keys("enter");
  await app.until("esc to interrupt");
  app.type("later");
  app.keys("enter");
  await app.until("◷ later");

  endTurn(app);

  expect(await app.server.untilSent("turn/start")).toMatchObject([
    { input: [{ text: "go" }] },
    { input: [{ text: "later" }] },
  ]);
});

test("a message that cannot be sent comes back to the composer", async () => {
  await using app = await readyApp({ answers: { "turn/start": new Error("overloaded") } });
  app.type("precious");
  app.keys("enter");
  await app.until("■ Could not send the message: overloaded");
  await app.until("› precious");
});

test("a saved prompt is filled in; a problem with its arguments keeps the line", async () => {
  await using app = await readyApp({
    host: {
      fillPrompt: async (line) =>
        line.includes("=") ? { text: "Release 1.2" } : { problem: "VERSION is missing" },
    },
  });
  app.type("/prompts:release now");
  app.keys("enter");
  await app.until("■ VERSION is missing");
  await app.until("› /prompts:release now");
  app.keys("ctrl+c");
  app.type("/prompts:release VERSION=1.2");
  app.keys("enter");
  await app.until("esc to interrupt");
  expect(app.server.sent("turn/start")).toMatchObject([{ input: [{ text: "Release 1.2" }] }]);
});

test("messages are added to the history, also if it cannot be written", async () => {
  const added: string[] = [];
  await using app = await readyApp({
    host: {
      async addHistory(text) {
        added.push(text);
        throw new Error("read-only");
      },
    },
  });
  app.type("go");
  app.keys("enter");
  await app.until("esc to interrupt");
  expect(added).toEqual(["go"]);
});

test("a failing command is an error in the transcript", async () => {
  await using app = await readyApp({ answers: { "thread/compact/start": new Error("too short") } });
  app.type("/compact ");
  app.keys("enter");
  await app.until("■ Failed: too short");
});
