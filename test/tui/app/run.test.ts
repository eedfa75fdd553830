import { expect, test } from "vitest";
import {
  endTurn,
  opened,
  readyApp,
  startApp,
  startTurn,
  type TestAppOptions,
  testReconnection,
} from "../test-app.js";

const id = opened.thread.id;

test("starts a thread, and shows its settings above the composer and below it", async () => {
  await using app = await readyApp();

  const screen = await app.until("Describe a task");

  expect(screen).toContain(
    [
      "Quire",
      "model        gpt-5 medium",
      "folder       /project",
      "permissions  workspace-write, on-request (/permissions to change)",
    ].join("\n"),
  );
  expect(app.screen().at(-1)?.trim()).toBe("workspace-write, on-request · gpt-5 medium");
  expect(app.server.sent("thread/start")).toEqual([{ cwd: "/project" }]);
});

test("quitting after a turn prints the token usage and the command that resumes", async () => {
  await using app = await readyApp();
  startTurn(app);
  app.server.notify("thread/tokenUsage/updated", {
    tokenUsage: {
      total: { totalTokens: 12_345, inputTokens: 12_000, cachedInputTokens: 0, outputTokens: 345 },
      last: { totalTokens: 12_345 },
      modelContextWindow: 272_000,
    },
  });
  endTurn(app, "Done.");
  await app.until("• Done.");

  app.keys("ctrl+d");

  expect(await app.code).toBe(0);
  expect(app.screen().slice(-2)).toEqual([
    "Token usage: 12,345 total, 12,000 input, 345 output",
    `To continue this session, run quire resume ${id}`,
  ]);
});

test("quitting while a turn runs prints its items as interrupted", async () => {
  await using app = await readyApp();
  startTurn(app);
  const item = { type: "commandExecution", id: "c", command: "sleep 60", status: "inProgress" };
  app.server.notify("item/started", { item });
  await app.until("Running sleep 60");

  app.abort();

  expect(await app.code).toBe(130);
  const screen = app.screen().join("\n");
  expect(screen).toContain("✗ Ran sleep 60\n    interrupted");
  expect(screen).not.toContain("Running");
  expect(screen).not.toContain("esc to interrupt");
});

test("a closed connection ends the program with an error", async () => {
  await using app = await readyApp();

  await app.server.close();

  expect(await app.code).toBe(1);
  expect(app.screen().join("\n")).toContain("■ Lost the connection to the server");
});

test("a thread that cannot be started ends the program with the reason", async () => {
  await using app = startApp({ answers: { "thread/start": new Error("no model") } });

  expect(await app.code).toBe(1);
  expect(app.screen().join("\n")).toContain("■ Could not start the session: no model");
});

test.each<[string, TestAppOptions, string, unknown]>([
  ["an id", { first: { kind: "resume", id } }, "thread/resume", { threadId: id }],
  ["a name", { first: { kind: "resume", id: "release" } }, "thread/resume", { threadId: "t2" }],
  [
    "the last one",
    { first: { kind: "resume", isLast: true } },
    "thread/resume",
    { threadId: "t1" },
  ],
  ["a fork", { first: { kind: "fork", id } }, "thread/fork", { threadId: id }],
])("opens an earlier thread by %s", async (_, options, method, params) => {
  const data = [
    { id: "t1", name: null },
    { id: "t2", name: "release" },
  ];
  await using app = await readyApp({ ...options, answers: { "thread/list": { data } } });
  expect(app.server.sent(method)).toEqual([params]);
  expect(app.server.sent("thread/start")).toEqual([]);
});

test.each<[string, TestAppOptions["first"], string]>([
  ["a name that no session has", { kind: "resume", id: "nope" }, 'No session is named "nope"'],
  [
    "the last of none",
    { kind: "resume", isLast: true },
    "There is no earlier session in this folder",
  ],
])("%s is an error", async (_, first, text) => {
  await using app = startApp({
    ...(first === undefined ? {} : { first }),
    answers: { "thread/list": { data: [] } },
  });
  expect(await app.code).toBe(1);
  expect(app.screen().join("\n")).toContain(text);
});

test("the last session of all folders is looked for without a folder", async () => {
  await using app = await readyApp({
    first: { kind: "resume", isLast: true, isEverywhere: true, hasAllSources: true },
    answers: { "thread/list": { data: [{ id: "t1" }] } },
  });
  expect(app.server.sent("thread/list")).toEqual([
    { limit: 1, sortKey: "updated_at", sourceKinds: ["cli", "vscode", "exec", "appServer"] },
  ]);
});

test("a resumed thread shows its turns, and follows one that still runs", async () => {
  const turns = [
    {
      id: "turn-0",
      status: "completed",
      items: [
        { type: "userMessage", id: "u", content: [{ type: "text", text: "hello" }] },
        { type: "agentMessage", id: "a", text: "**Hi.**" },
      ],
    },
    { id: "turn-1", status: "inProgress", items: [] },
  ];
  const result = { ...opened, thread: { ...opened.thread, name: "greeting", turns } };
  await using app = startApp({
    first: { kind: "resume", id },
    answers: { "thread/resume": result },
  });

  const screen = await app.until("esc to interrupt");

  expect(screen).toContain("Quire · resumed\nname         greeting");
  expect(screen).toContain("› hello\n\n• Hi.");
});

test("the prompt of the command line is the first message", async () => {
  await using app = startApp({ prompt: "fix it" });
  await app.until("esc to interrupt");
  expect(app.server.sent("turn/start")).toEqual([
    { threadId: id, input: [{ type: "text", text: "fix it", text_elements: [] }] },
  ]);
});

test("an image of the command line that cannot be read is reported", async () => {
  await using app = startApp({ prompt: "look", images: ["/nowhere/a.png"] });
  await app.until("• /nowhere/a.png: ");
  await app.until("esc to interrupt");
});

test("a review of the command line is started instead of a message", async () => {
  await using app = startApp({
    review: { type: "uncommittedChanges" },
    answers: { "review/start": {} },
  });
  await app.until("Describe a task");
  expect(await app.server.untilSent("review/start")).toEqual([
    { threadId: id, target: { type: "uncommittedChanges" }, delivery: "inline" },
  ]);
});

test("text typed before the thread is open is sent once it is", async () => {
  const { promise, resolve } = withResolvers<unknown>();
  await using app = startApp({ answers: { "thread/start": () => promise } });
  await app.until("Starting…");
  app.type("early");
  app.keys("enter");
  await app.until("◷ early");
  expect(app.server.sent("turn/start")).toEqual([]);

  resolve(opened);

  await app.until("esc to interrupt");
  expect(app.server.sent("turn/start")).toMatchObject([{ input: [{ text: "early" }] }]);
});

test.each([
  ["1", "trusted"],
  ["2", "untrusted"],
])("a new folder: answer %s saves %s", async (key, level) => {
  await using app = startApp({ answers: { "config/read": { config: {} } } });
  await app.until("Do you trust the files in /project?");
  app.keys(key);
  await app.until("Describe a task");
  expect(app.server.sent("config/value/write")).toEqual([
    { keyPath: 'projects."/project".trust_level', value: level, mergeStrategy: "upsert" },
  ]);
});

test.each(["3", "escape"])("a new folder: %s quits, and nothing is saved", async (key) => {
  await using app = startApp({ answers: { "config/read": { config: {} } } });
  await app.until("Do you trust the files in /project?");
  app.keys(key);
  expect(await app.code).toBe(0);
  expect(app.server.sent("config/value/write")).toEqual([]);
  expect(app.server.sent("thread/start")).toEqual([]);
});

test.each<[string, TestAppOptions]>([
  ["a folder below a trusted one", { request: { cwd: "/project/src" } }],
  ["permissions on the command line", { request: { cwd: "/other" }, hasPermissions: true }],
  ["a remote server", { request: { cwd: "/other" }, isRemote: true }],
  ["an unreadable config", { answers: { "config/read": new Error("broken") } }],
])("%s is not asked about", async (_, options) => {
  await using app = await readyApp(options);
  expect(await app.until("Describe a task")).not.toContain("Do you trust");
});

test("a lost connection is shown, and the thread is resumed after the last notification", async () => {
  const reconnection = testReconnection();
  await using app = await readyApp({
    reconnection,
    answers: { "thread/read": { thread: { ...opened.thread, turns: [] } } },
  });
  app.server.notify("turn/started", { turn: { id: "turn-1", status: "inProgress" } }, 7);
  await app.until("esc to interrupt");

  reconnection.onLost();
  await app.until("⚠ Not connected to the server · reconnecting");
  reconnection.onRestored();
  await app.until("• Reconnected");

  expect(app.server.sent("thread/resume")).toEqual([
    { threadId: id, excludeTurns: true, after: 7 },
  ]);
  expect(await app.until("The server interrupted the turn")).toContain("Lost the connection");
});

test("a thread without a turn is started again after a reconnect", async () => {
  const reconnection = testReconnection();
  await using app = await readyApp({ reconnection });
  reconnection.onLost();
  reconnection.onRestored();
  await app.until("• Reconnected");
  expect(app.server.sent("thread/start")).toHaveLength(2);
  expect(app.server.sent("thread/resume")).toEqual([]);
});

test("a failed resume after a reconnect is an error, and the program continues", async () => {
  const reconnection = testReconnection();
  await using app = await readyApp({
    reconnection,
    answers: { "thread/resume": new Error("gone") },
  });
  startTurn(app);
  reconnection.onLost();
  reconnection.onRestored();
  await app.until("■ Could not resume the session: gone");
});

test("the config sets the theme, and ignores notifications it does not know", async () => {
  const config = { tui: { theme: "light", notifications: 7 }, projects: trusted };
  await using app = await readyApp({ answers: { "config/read": { config } } });
  await expect.poll(() => app.output(), { timeout: 20_000 }).toContain("\x1b[34m");
});

const trusted = { "/project": { trust_level: "trusted" } };

test.each<[unknown, boolean]>([
  [undefined, true],
  [false, false],
  [["approval-requested"], false],
  [["agent-turn-complete"], true],
])(
  "with notifications %j a turn that ends unseen notifies: %j",
  async (notifications, isNotified) => {
    const config = { tui: { notifications }, projects: trusted };
    let reads = 0;
    await using app = await readyApp({
      answers: {
        "config/read": () => {
          reads += 1;
          return { config };
        },
      },
    });
    await expect.poll(() => reads, { timeout: 20_000 }).toBe(2);
    app.keys("\x1b[O");
    startTurn(app);
    endTurn(app, "All **done**.");
    await app.until("• All done.");
    expect(app.output().includes("\x1b]9;All **done**.\x07")).toBe(isNotified);
  },
);

test("NO_COLOR wins over the background of the terminal", async () => {
  await using app = await readyApp({ host: { env: { NO_COLOR: "1" } } });
  app.keys("\x1b]11;rgb:ffff/ffff/ffff\x07");
  app.type("/");
  await app.until("/model");
  expect(app.output()).not.toMatch(/\x1b\[3\d/);
});

function withResolvers<Value>() {
  let resolve: (value: Value) => void = () => {};
  const promise = new Promise<Value>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}
