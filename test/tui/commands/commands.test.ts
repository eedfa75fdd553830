import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { findSlashCommand, slashCommands } from "../../../src/tui/commands/table.js";
import { endTurn, opened, readyApp, startTurn, type TestAppOptions } from "../test-app.js";

const id = opened.thread.id;

/** Starts the app and runs one command; a space ends the completion of its name. */
async function run(line: string, options: TestAppOptions = {}) {
  const app = await readyApp(options);
  app.type(line.includes(" ") ? line : `${line} `);
  app.keys("enter");
  return app;
}

test("names and aliases are unique, and summaries fit the menu", () => {
  const names = slashCommands.flatMap(({ name, aliases = [] }) => [name, ...aliases]);
  expect(new Set(names).size).toBe(names.length);
  for (const { summary } of slashCommands) expect(summary).toMatch(/^[A-Z].{2,70}[^.]$/);
});

/** Commands of the reference 0.166. */
const ofReference = `
  agents approve apps archive btw cd clear compact config copy daemon debug-config delete
  diff exit experimental export fast feedback fork goal hooks ide import init keymap logout
  mcp memories mention model new permissions pets plan plugins presets ps pwd raw recap
  rename resume review side skills status statusline stop subagents theme title tui usage
  vim voice warnings worktree
`;

test.each(ofReference.trim().split(/\s+/))("/%s of the reference is answered", (name) => {
  expect(findSlashCommand(name)?.summary).toMatch(/^[A-Z]/);
});

test("/goal edit changes the objective and nothing else", async () => {
  const goal = { objective: "paint", status: "paused", tokensUsed: 5, timeUsedSeconds: 1 };
  await using app = await run("/goal edit", {
    answers: {
      "thread/goal/get": { goal: { ...goal, tokenBudget: null } },
      "thread/goal/set": (change: object) => ({ goal: { ...goal, tokenBudget: null, ...change } }),
    },
  });
  await app.until("> paint");
  app.type(" all doors");
  app.keys("enter");
  await app.until(/objective +paint all doors/);
  expect(app.server.sent("thread/goal/set")).toEqual([
    { threadId: id, objective: "paint all doors" },
  ]);
});

test("/raw takes on or off", async () => {
  await using app = await run("/raw on");
  await app.until("Answers are shown as written");
  app.type("/raw perhaps");
  app.keys("enter");
  await app.until('Expected on or off (got "perhaps")');
  app.type("/raw off");
  app.keys("enter");
  await app.until("Answers are formatted");
});

test("/new starts a thread and leaves the old one", async () => {
  const next = { ...opened, thread: { id: "t2", turns: [] } };
  let count = 0;
  await using app = await run("/new", {
    answers: { "thread/start": () => (count++ === 0 ? opened : next) },
  });
  expect(await app.server.untilSent("thread/unsubscribe")).toEqual([{ threadId: id }]);
});

test("/resume lists the sessions of this folder, newest first, without the current one", async () => {
  const now = Math.floor(Date.now() / 1000);
  const data = [
    { id, name: "this one", updatedAt: now },
    { id: "t1", name: "release", updatedAt: now - 120, cwd: "/project" },
    { id: "t2", preview: "fix  the\nbuild", createdAt: now - 7200, gitInfo: { branch: "main" } },
  ];
  await using app = await run("/resume", { answers: { "thread/list": { data } } });
  const list = await app.until("Select a session from this folder");
  expect(list).toMatch(/› release {8}2 min ago · project\n {2}fix the build {2}2 h ago · main/);
  expect(list).not.toContain("this one");
  app.type("buil");
  await app.untilGone("release ");
  app.keys("enter");
  expect(await app.server.untilSent("thread/resume")).toEqual([{ threadId: "t2" }]);
});

test("/resume looks in all folders if this one has no sessions", async () => {
  await using app = await run("/resume", {
    answers: {
      "thread/list": ({ cwd }: { cwd?: string }) => ({
        data: cwd === undefined ? [{ id: "t1", name: "elsewhere" }] : [],
      }),
    },
  });
  await app.until("Select a session\n");
  await app.until("› elsewhere");
});

test("/resume without any session is an error; with an id it asks nothing", async () => {
  await using app = await run("/resume", { answers: { "thread/list": { data: [] } } });
  await app.until("■ There is no earlier session yet");
  app.type(`/resume ${id}`);
  app.keys("enter");
  expect(await app.server.untilSent("thread/resume")).toEqual([{ threadId: id }]);
});

test("/resume finds a session by its name, and names one that does not exist", async () => {
  const data = [{ id, name: "the door", preview: "paint it" }];
  await using app = await run("/resume a dor", { answers: { "thread/list": { data } } });
  await app.until('No session is named "a dor"');
  app.type("/resume the door");
  app.keys("enter");
  expect(await app.server.untilSent("thread/resume")).toEqual([{ threadId: id }]);
});

test("a command without arguments refuses them and gives the text back", async () => {
  await using app = await run("/permissions foo");
  expect(await app.until('/permissions takes no arguments (got "foo")')).toContain(
    "› /permissions foo",
  );
});

test("/approve overrules a denial of the automatic reviewer, once", async () => {
  const answers = { "thread/approveGuardianDeniedAction": {} };
  await using app = await run("/approve", { answers });
  await app.until("The automatic reviewer has denied nothing");
  const rationale = "Not asked for.";
  app.server.notify("item/autoApprovalReview/completed", {
    threadId: id,
    reviewId: "r1",
    review: { status: "denied", riskLevel: "high", userAuthorization: "low", rationale },
    action: { type: "command", source: "shell", command: "make install", cwd: "/project" },
  });
  await app.until("Automatic review denied `make install` (high risk): Not asked for.");
  app.type("/approve ");
  app.keys("enter");
  await app.until("› 1. `make install`");
  app.keys("enter");
  expect(await app.server.untilSent("thread/approveGuardianDeniedAction")).toEqual([
    { threadId: id, event: { id: "r1", status: "denied" } },
  ]);
  await app.until("Approved once: `make install`");
});

test("/cost shows tokens and money by model, and says which price is not known", async () => {
  const row = (key: string, cost: number | null) => ({
    key,
    responses: 2,
    inputTokens: 1200,
    cachedInputTokens: 400,
    outputTokens: 30,
    reasoningOutputTokens: 0,
    totalTokens: 1230,
    cost,
    unpricedModels: cost === null ? [key] : [],
  });
  let answer = { rows: [row("gpt-5", 0.01234)], total: row("total", 0.01234) };
  await using app = await run("/cost", { answers: { "usage/read": () => answer } });
  await app.until("gpt-5: 1200 tokens in (400 cached), 30 out, $0.0123");
  expect(app.server.sent("usage/read")).toEqual([{ by: "model", threadId: id }]);

  answer = { rows: [row("gpt-5", 1), row("gpt-99", null)], total: row("total", null) };
  app.type("/cost ");
  app.keys("enter");
  await app.until("gpt-99: 1200 tokens in (400 cached), 30 out, price not known");
  await app.until("total: 1200 tokens in (400 cached), 30 out, price not known");
});

test("/fork copies the thread", async () => {
  await using app = await run("/fork");
  await app.until("Quire · forked");
  expect(app.server.sent("thread/fork")).toEqual([{ threadId: id }]);
});

test("/rename asks for a name, or takes it from the line", async () => {
  await using app = await run("/rename", { answers: { "thread/name/set": {} } });
  await app.until("Session name");
  app.type("first");
  app.keys("enter");
  await app.until("• Renamed to first");
  app.type("/rename second one");
  app.keys("enter");
  await app.until("• Renamed to second one");
  expect(app.server.sent("thread/name/set")).toEqual([
    { threadId: id, name: "first" },
    { threadId: id, name: "second one" },
  ]);
});

test("/archive archives the thread, names the command that restores it, and starts another", async () => {
  await using app = await run("/archive", { answers: { "thread/archive": {} } });
  expect(await app.server.untilSent("thread/start", 2)).toHaveLength(2);
  expect(app.server.sent("thread/archive")).toEqual([{ threadId: id }]);
  await app.until(new RegExp(`Session archived\\n  Restore it with \`\\S+ unarchive ${id}\``));
});

test("/status lists settings, account, usage and limits", async () => {
  await using app = await readyApp({
    answers: {
      "account/read": {
        account: { type: "chatgpt", email: "ada@example.com", planType: "plus" },
        requiresOpenaiAuth: true,
      },
    },
  });
  app.server.notify("thread/tokenUsage/updated", {
    tokenUsage: {
      total: {
        totalTokens: 50_400,
        inputTokens: 48_000,
        cachedInputTokens: 1200,
        outputTokens: 2400,
      },
      last: { totalTokens: 38_000 },
      modelContextWindow: 272_000,
    },
  });
  app.server.notify("account/rateLimits/updated", {
    rateLimits: {
      primary: { usedPercent: 12.4, windowDurationMins: 300, resetsAt: null },
      secondary: { usedPercent: 60, windowDurationMins: 10_080, resetsAt: null },
    },
  });
  app.type("/status ");
  app.keys("enter");
  await app.until("limit        40% left of 7 days");
  const lines = app.screen().join("\n");
  expect(lines).toContain("model        gpt-5 medium (openai)");
  expect(lines).toContain("account      ada@example.com, plus");
  expect(lines).toContain("tokens       50.4K: 48K in (1.2K cached), 2.4K out");
  expect(lines).toContain("context      90% left of 272K");
  expect(lines).toContain("limit        88% left of 5 h");
});

test.each([
  [{ account: null, requiresOpenaiAuth: false }, "not signed in"],
  [{ account: { type: "apiKey" }, requiresOpenaiAuth: true }, "API key"],
])("/status shows the account %j as %s", async (answer, text) => {
  await using app = await run("/status", { answers: { "account/read": answer } });
  await app.until(`account      ${text}`);
});

test("/mcp lists servers with their tools, problems and sign-in", async () => {
  const data = [
    { name: "docs", tools: { search: {}, fetch: {} }, authStatus: "unsupported" },
    { name: "mail", tools: {}, authStatus: "notLoggedIn" },
    { name: "bad", tools: {}, toolsError: "timed out" },
  ];
  await using app = await run("/mcp", { answers: { "mcpServerStatus/list": { data } } });
  await app.until(
    "MCP servers\ndocs  search, fetch\nmail  no tools (not logged in: /mcp login)\nbad   timed out",
  );
});

test.each([
  ["/mcp", { "mcpServerStatus/list": { data: [] } }, "• No MCP servers are configured"],
  ["/skills", {}, "• No skills found"],
  ["/prompts", {}, "• You have no saved prompts"],
  ["/copy", {}, "• There is no answer to copy yet"],
])("%s without any of them says so", async (line, answers, text) => {
  await using app = await run(line, { answers });
  await app.until(text);
});

test("/skills and /prompts insert the selected one into the composer", async () => {
  const skills = [{ name: "deploy", description: "Deploy it", path: "/skills/deploy" }];
  await using app = await run("/skills", {
    answers: { "skills/list": { data: [{ skills }] } },
    host: { readPrompts: async () => [{ name: "release", description: "Cut a release" }] },
  });
  await app.until("Select a skill");
  app.keys("enter");
  await app.until("› $deploy");
  app.keys("ctrl+c");
  app.type("/prompts ");
  app.keys("enter");
  await app.until("Cut a release");
  app.keys("enter");
  await app.until("› /prompts:release");
});

test("/copy puts the last answer on the clipboard of the terminal", async () => {
  await using app = await readyApp();
  startTurn(app);
  endTurn(app, "One.\n\nTwo.");
  await app.until("  Two.");
  app.type("/copy ");
  app.keys("enter");
  await app.until("• Copied the last answer");
  const encoded = Buffer.from("One.\n\nTwo.").toString("base64");
  expect(app.output()).toContain(`\x1b]52;c;${encoded}\x07`);
});

test("/export writes the session as Markdown, and never over another file", async () => {
  const folder = await mkdtemp(join(tmpdir(), "quire-export-"));
  const file = join(folder, "session.md");
  await using app = await readyApp();
  startTurn(app);
  const items = [
    { type: "userMessage", id: "1", content: [{ type: "text", text: "do it" }] },
    {
      type: "commandExecution",
      id: "2",
      command: "ls",
      status: "completed",
      aggregatedOutput: "a\n```\n",
    },
    {
      type: "fileChange",
      id: "3",
      status: "completed",
      changes: [{ path: "a.txt", kind: { type: "add" }, diff: "+hi\n" }],
    },
    { type: "mcpToolCall", id: "4", server: "docs", tool: "search", status: "completed" },
    { type: "agentMessage", id: "5", text: "Done." },
  ];
  for (const item of items) app.server.notify("item/completed", { item });
  app.server.notify("turn/plan/updated", {
    plan: [
      { step: "look", status: "completed" },
      { step: "write", status: "pending" },
    ],
  });
  endTurn(app, undefined, "interrupted");
  app.type(`/export ${file}`);
  app.keys("enter");
  await app.until("• Exported to");

  expect(await readFile(file, "utf8")).toBe(
    [
      "## You\n\ndo it",
      "````console\n$ ls\na\n```\n````",
      "`a.txt`\n\n```diff\n+hi\n```",
      "Called `docs.search`",
      "## Agent\n\nDone.",
      "- [x] look\n- [ ] write",
      "> Interrupted\n",
    ].join("\n\n"),
  );
  await writeFile(file, "mine");
  app.type(`/export ${file}`);
  app.keys("enter");
  await app.until("■ Could not write");
  expect(await readFile(file, "utf8")).toBe("mine");
  await rm(folder, { recursive: true });
});

test("/theme applies and saves a theme; an unknown one is an error", async () => {
  await using app = await run("/theme light");
  const edit = { keyPath: "tui.theme", value: "light", mergeStrategy: "replace" };
  expect(await app.server.untilSent("config/batchWrite")).toEqual([{ edits: [edit] }]);
  app.type("/theme pink");
  app.keys("enter");
  await app.until('■ Unknown theme "pink". Expected one of auto, dark, light, ansi, mono');
});

test("/theme that cannot be saved is used all the same", async () => {
  await using app = await run("/theme", { answers: { "config/batchWrite": new Error("locked") } });
  await app.until("Select a theme");
  app.keys("4");
  await app.until("■ The theme is used now, but could not be saved to config.toml: locked");
});

test("/plan with a task switches plan mode on and sends the task", async () => {
  await using app = await run("/plan a migration");
  await app.until("esc to interrupt");
  expect(app.server.sent("turn/start")).toMatchObject([
    { input: [{ text: "a migration" }], collaborationMode: { mode: "plan" } },
  ]);
});

test("/init asks the agent for an AGENTS.md, /mention starts a file name", async () => {
  await using app = await run("/init");
  await app.until("esc to interrupt");
  expect(app.server.sent("turn/start")).toMatchObject([
    { input: [{ text: expect.stringContaining("AGENTS.md") }] },
  ]);
  app.type("/mention ");
  app.keys("enter");
  await app.until("› @");
});

test.each<[string[], unknown]>([
  [["1"], { type: "uncommittedChanges" }],
  [["2", "m", "a", "i", "n", "enter"], { type: "baseBranch", branch: "main" }],
  [["3", "a", "b", "c", "enter"], { type: "commit", sha: "abc" }],
  [["4", "s", "q", "l", "enter"], { type: "custom", instructions: "sql" }],
])("/review answered with %j reviews %j", async (keys, target) => {
  await using app = await run("/review", { answers: { "review/start": {} } });
  await app.until("What do you want to review?");
  const [choice = "", ...typed] = keys;
  app.keys(choice);
  if (typed.length > 0) await app.until(/Which .*\?|Review instructions/);
  app.keys(...typed);
  expect(await app.server.untilSent("review/start")).toEqual([
    { threadId: id, target, delivery: "inline" },
  ]);
});

test("/review with instructions asks nothing", async () => {
  await using app = await run("/review only the tests", { answers: { "review/start": {} } });
  expect(await app.server.untilSent("review/start")).toMatchObject([
    { target: { type: "custom", instructions: "only the tests" } },
  ]);
});

test("/logout signs out and offers to sign in again", async () => {
  let account: object | null = { type: "apiKey" };
  await using app = await run("/logout", {
    answers: {
      "account/read": () => ({ account, requiresOpenaiAuth: true }),
      "account/logout": () => {
        account = null;
        return {};
      },
    },
  });
  await app.until("• Signed out");
  await app.until("Which model do you want to use?");
  app.keys("escape");
  expect(await app.code).toBe(0);
});

test("/quit ends the program", async () => {
  await using app = await run("/exit");
  expect(await app.code).toBe(0);
});

const diffText = `diff --git a/a.txt b/a.txt
--- a/a.txt
+++ b/a.txt
@@ -1,2 +1,2 @@
 same
-old
+new
`;

test("/diff shows tracked and untracked changes, with git confined to reading", async () => {
  await using app = await run("/diff", {
    answers: {
      "command/exec": ({ command }: { command: string[] }) => {
        if (command.includes("ls-files")) return { exitCode: 0, stdout: "b.txt\0" };
        if (!command.includes("--no-index")) return { exitCode: 0, stdout: diffText };
        return { exitCode: 1, stdout: diffText.replaceAll("a.txt", "b.txt") };
      },
    },
  });
  await app.until("q to close");
  expect(app.screen().join("\n")).toMatch(
    /^ Changes\n\n {2}a\.txt \(\+1 -1\)\n.*same\n.*-old\n.*\+new\n\n {2}b\.txt \(\+1 -1\)/,
  );
  for (const params of app.server.sent("command/exec")) {
    expect(params).toMatchObject({ cwd: "/project", sandboxPolicy: { type: "readOnly" } });
  }
});

test.each([
  ["a clean repository", { exitCode: 0, stdout: "" }, "• No uncommitted changes"],
  ["no repository", { exitCode: 128, stdout: "" }, "a.txt (+1 -1)"],
  ["no git", new Error("not found"), "a.txt (+1 -1)"],
])("/diff in %s", async (_, answer, shown) => {
  await using app = await readyApp({ answers: { "command/exec": answer } });
  app.server.notify("turn/diff/updated", { diff: diffText });
  app.type("/diff ");
  app.keys("enter");
  await app.until(shown);
});
