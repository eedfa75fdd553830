import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { endTurn, opened, readyApp, startTurn } from "../test-app.js";

const id = opened.thread.id;

test("ctrl+c clears the composer first, then asks, then quits", async () => {
  await using app = await readyApp();
  app.type("draft");
  await app.until("› draft");
  app.keys("ctrl+c");
  await app.untilGone("draft");
  app.keys("ctrl+c");
  await app.until("press ctrl+c again to quit");
  app.keys("ctrl+c");
  expect(await app.code).toBe(0);
});

test("another key between them cancels quitting", async () => {
  await using app = await readyApp();
  app.keys("ctrl+c");
  await app.until("press ctrl+c again to quit");
  app.type("x");
  await app.untilGone("press ctrl+c again");
  app.keys("backspace", "ctrl+c");
  await app.until("press ctrl+c again to quit");
});

test.each(["ctrl+c", "escape"])(
  "%s interrupts the running turn, and queued messages come back",
  async (key) => {
    await using app = await readyApp();
    app.type("go");
    app.keys("enter");
    await app.until("esc to interrupt");
    app.type("next");
    app.keys("tab");
    await app.until("◷ next");

    app.keys(key);
    expect(await app.server.untilSent("turn/interrupt")).toEqual([
      { threadId: id, turnId: "turn-1" },
    ]);
    endTurn(app, undefined, "interrupted");

    const screen = await app.until("⚠ Interrupted");
    expect(screen).toContain("Tell the agent what to do instead");
    await app.until("› next");
  },
);

test("ctrl+d quits only if the composer is empty", async () => {
  await using app = await readyApp();
  app.type("x");
  app.keys("ctrl+d");
  await app.until("› x");
  app.keys("backspace", "ctrl+d");
  expect(await app.code).toBe(0);
});

const turns = ["first", "second"].map((text, index) => ({
  turnId: `turn-${index}`,
  parentTurnId: null,
  isActive: true,
  text,
  status: "completed",
  startedAtMs: null,
  responseIds: [],
  changedFiles: index,
}));
const file = { path: "/w/a.txt", kind: "update", additions: 1, deletions: 2, isBinary: false };
const preview = { numTurns: 1, files: [file], conflicts: [], limits: [], what: "both" };
const answers = {
  "thread/tree": { data: turns, activeTurnId: "turn-1" },
  "thread/rewind": preview,
};

test("esc twice shows the files of a rewind, and rewinds after a choice", async () => {
  await using app = await readyApp({ answers });
  app.keys("escape");
  await app.until("press esc again to return to an earlier message");
  app.keys("escape");
  expect(await app.until("Return to before which message?")).toContain("› 2. second");
  app.keys("enter");
  expect(await app.until("What should be rewound?")).toContain("M /w/a.txt +1 -2");
  app.keys("3");
  await app.until("1 file restored");
  const turnId = "turn-1";
  expect(app.server.sent("thread/rewind")).toMatchObject([
    { threadId: id, turnId, what: "both", dryRun: true },
    { threadId: id, turnId, what: "files" },
  ]);
});

test("a rewind of the conversation puts the message into the composer", async () => {
  await using app = await readyApp({ answers });
  app.keys("escape", "escape");
  await app.until("Return to before which message?");
  app.keys("1");
  await app.until("What should be rewound?");
  app.keys("1");
  await app.until("› first");
  expect(app.server.sent("thread/rewind").at(-1)).toMatchObject({ turnId: "turn-0", what: "chat" });
});

test("without an earlier message there is nothing to return to", async () => {
  const none = { "thread/tree": { data: [], activeTurnId: null } };
  await using app = await readyApp({ answers: none });
  app.keys("escape", "escape");
  await app.until("■ There is no earlier message to return to");
});

test("ctrl+t shows the transcript unfolded on the full screen, and q closes it", async () => {
  await using app = await readyApp();
  startTurn(app);
  const output = Array.from({ length: 30 }, (_, index) => `row ${index}`).join("\n");
  app.server.notify("item/completed", {
    item: {
      type: "commandExecution",
      id: "c",
      command: "seq 30",
      status: "completed",
      aggregatedOutput: output,
    },
  });
  endTurn(app, "Counted.");
  expect(await app.until("• Counted.")).toContain("… 23 more lines (ctrl+t to view all)");

  app.keys("ctrl+t");
  await app.until("q to close");
  expect(app.screen()).toContain("    row 15");
  expect(app.screen().at(-1)).toBe(" 100% · ↑↓ pgup pgdn · q to close");

  app.keys("q");
  await app.untilGone("q to close");
  expect(app.screen()).toContain("• Counted.");
});

test("ctrl+r searches sent messages, newest first and without repeats", async () => {
  await using app = await readyApp({
    host: { readHistory: async () => ["build", "test", "build", "lint"] },
  });
  app.keys("ctrl+r");
  const screen = await app.until("Search sent messages");
  expect(
    screen.match(/^ *›? *(lint|build|test)$/gm)?.map((line) => line.replace("›", "").trim()),
  ).toEqual(["lint", "build", "test"]);
  app.type("tes");
  await app.untilGone("lint");
  app.keys("enter");
  await app.until("› test");
});

test("ctrl+g edits the message in the editor of the environment", async () => {
  const folder = await mkdtemp(join(tmpdir(), "quire-editor-"));
  const editor = join(folder, "editor.sh");
  await writeFile(editor, '#!/bin/sh\necho "$1 from the editor" | sed "s/^.*md //" >> "$2"\n');
  await chmod(editor, 0o700);
  await using app = await readyApp({ host: { env: { VISUAL: `${editor} and-arguments.md` } } });
  app.type("text ");
  app.keys("ctrl+g");
  await app.until("from the editor");
  await rm(folder, { recursive: true });
});

test.each([
  [{}, "■ No editor is set. Set VISUAL or EDITOR to the command of your editor"],
  [{ EDITOR: "exit 3;" }, "› kept"],
])("ctrl+g with %j keeps the message", async (env, shown) => {
  await using app = await readyApp({ host: { env } });
  app.type("kept");
  app.keys("ctrl+g");
  await app.until(shown);
  await app.until("› kept");
});

test("shift+tab switches plan mode on and off for the next turn", async () => {
  await using app = await readyApp();
  app.keys("shift+tab");
  await app.until("• Plan mode is on");
  expect(app.screen().at(-1)).toContain("plan mode · gpt-5");
  app.type("think");
  app.keys("enter");
  await app.until("esc to interrupt");
  expect(app.server.sent("turn/start")).toMatchObject([{ collaborationMode: { mode: "plan" } }]);
  endTurn(app);
  await app.until("Describe a task");
  app.keys("shift+tab");
  await app.until("• Plan mode is off");
});

test("alt+up takes the last queued message back into the composer", async () => {
  await using app = await readyApp();
  app.type("go");
  app.keys("enter");
  await app.until("esc to interrupt");
  for (const text of ["one", "two"]) {
    app.type(text);
    app.keys("tab");
    await app.until(`◷ ${text}`);
  }
  app.keys("alt+up");
  await app.untilGone("◷ two");
  await app.until("› two");
  await app.until("◷ one");
});

test("? shows the help page only in an empty composer", async () => {
  await using app = await readyApp();
  app.type("why?");
  await app.until("› why?");
  app.keys("ctrl+c", "?");
  await app.until("Keyboard shortcuts and commands");
  expect(app.screen().join("\n")).toMatch(/Shift\+Tab +Switch plan mode on or off/);
  app.keys("end");
  await app.until(/\/quit +Quit/);
  app.keys("escape");
  await app.until("Describe a task");
});

test("ctrl+l draws the live lines again", async () => {
  await using app = await readyApp();
  const before = app.output().split("Describe a task").length;
  app.keys("ctrl+l");
  await expect
    .poll(() => app.output().split("Describe a task").length, { timeout: 20_000 })
    .toBeGreaterThan(before);
});

test("up and down browse the messages of this session and earlier ones", async () => {
  await using app = await readyApp({ host: { readHistory: async () => ["earlier"] } });
  app.type("now");
  app.keys("enter");
  await app.until("esc to interrupt");
  await expect
    .poll(() => {
      app.keys("up", "up");
      return app.screen().join("\n");
    })
    .toContain("› earlier");
  app.keys("down");
  await app.until("› now");
});

test("a character that arrives together with the escape that closes a list is typed", async () => {
  await using app = await readyApp();
  app.type("/theme ");
  app.keys("enter");
  await app.until("Select a theme");
  app.keys("\x1b/");
  app.type("pwd");
  await app.until("› /pwd");
  expect(app.screen().join("\n")).not.toContain("Select a theme");
});

test("a character that arrives together with the escape that closes a page is typed", async () => {
  await using app = await readyApp();
  app.keys("?");
  await app.until("q to close");
  app.keys("\x1bg");
  app.type("o");
  await app.until("› go");
});

test("Alt with a character that has an action closes no list", async () => {
  await using app = await readyApp({ host: { readHistory: async () => ["one two", "two"] } });
  app.keys("ctrl+r");
  await app.until("Search sent messages");
  app.type("two");
  app.keys("\x1bb");
  app.type("one ");
  await app.until("> one two");
});

test("an approval is not answered by Escape or a letter that arrive together", async () => {
  await using app = await readyApp();
  startTurn(app);
  const params = { threadId: id, turnId: "turn-1", itemId: "c1", command: "ls", cwd: "/project" };
  const answer = app.server.ask("item/commandExecution/requestApproval", params);
  await app.until("Allow this command to run?");
  app.keys("\x1by", "\x1bn");
  app.type("y");
  expect(await answer).toMatchObject({ decision: "accept" });
  expect(app.server.sent("turn/interrupt")).toEqual([]);
});

test("vim keys follow an escape that arrives together with them", async () => {
  await using app = await readyApp();
  app.type("/vim on ");
  app.keys("enter");
  await app.until("INSERT");
  app.type("one two");
  app.keys("\x1b0");
  app.type("x");
  await app.until("› ne two");
  await app.until("NORMAL");
});
