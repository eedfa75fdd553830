import { expect, test } from "vitest";
import { type Answers, readyApp } from "../test-app.js";

const hook = (key: string, more: object = {}) => ({
  key,
  eventName: "preToolUse",
  handlerType: "command",
  command: `python3 /home/me/hooks/${key}.py --with a --long "command line" --that does not fit`,
  async: false,
  matcher: "Bash",
  timeoutSec: 10,
  onFailure: "deny",
  sourcePath: "/home/me/.codex/hooks.json",
  source: "user",
  enabled: true,
  isManaged: false,
  currentHash: `sha256:${key}`,
  trustStatus: "untrusted",
  ...more,
});

const managed = { isManaged: true, trustStatus: "managed", source: "system" };
const mcp = { eventName: "stop", command: undefined, server: "s", tool: "t", matcher: null };

/** A server that stores decisions as `config/batchWrite` does. */
function answers(...hooks: ReturnType<typeof hook>[]): Answers {
  const states: Record<string, { trusted_hash?: string; enabled?: boolean }> = {};
  return {
    "hooks/list": () => ({
      data: [
        {
          cwd: "/project",
          warnings: [],
          errors: [],
          hooks: hooks.map((one) => {
            const { trusted_hash: hash, enabled = one.enabled } = states[one.key] ?? {};
            const trustStatus = hash === one.currentHash ? "trusted" : one.trustStatus;
            return { ...one, enabled, trustStatus };
          }),
        },
      ],
    }),
    "config/batchWrite": ({ edits: [edit] }: { edits: [{ value: typeof states }] }) => {
      Object.assign(states, edit.value);
      return {};
    },
  };
}

async function open(columns: number, rows: number, own: Answers) {
  const app = await readyApp({ columns, rows, answers: own });
  app.type("/hooks ");
  app.keys("enter");
  return app;
}

test.each([
  [80, 24],
  [60, 20],
])("/hooks lists hooks with their state and trusts one (%i columns, %i rows)", async (...size) => {
  const all = [hook("one"), hook("two", mcp), hook("three", managed)];
  await using app = await open(...size, answers(...all));

  const list = await app.until("2 hooks are not trusted and do not run.");
  expect(list).toMatch(/› 1\. PreToolUse Bash +untrusted · user · python3/);
  expect(list).toMatch(/2\. PreToolUse Bash +managed · system/);
  expect(list).toMatch(/3\. Stop +untrusted · user · MCP tool t of s/);
  expect(list).toMatch(/4\. Trust all 2/);
  app.keys("enter");
  const details = await app.until("PreToolUse hook, untrusted");
  expect(details).toMatch(/--that does not\s+fit/);
  expect(details).toContain("from /home/me/.codex/hooks.json (user)");
  expect(details).toContain("at most 10 s, a failure blocks");
  expect(details).toContain("1. Trust it as it is now");
  app.keys("enter");

  await app.until("1 hook is not trusted and does not run.");
  expect(app.server.sent("config/batchWrite")).toEqual([
    {
      edits: [
        {
          keyPath: "hooks.state",
          value: { one: { trusted_hash: "sha256:one" } },
          mergeStrategy: "upsert",
        },
      ],
      reloadUserConfig: true,
    },
  ]);
  expect(app.screen().join("\n")).toMatch(/1\. PreToolUse Bash +trusted · user/);
  app.keys("escape");
  await app.until("• Trusted the PreToolUse hook: python3");
});

test("all hooks are trusted after a confirmation, and one that is trusted can be disabled", async () => {
  await using app = await open(100, 40, answers(hook("one"), hook("two", mcp)));
  await app.until("3. Trust all 2");
  app.keys("3");
  await app.until("Trust 2 hooks?");
  app.keys("2");
  await app.until("Select one to see it, or to turn it off.");
  app.keys("1");
  expect(await app.until("PreToolUse hook, trusted")).not.toContain("Trust it");
  app.keys("1");
  await app.until("disabled · user");
  app.keys("1");
  await app.until("1. Enable it");
});

test("a script that is too long for the dialog is shown on its own page", async () => {
  const command = Array.from({ length: 40 }, (_, at) => `echo line ${at}`).join("\n");
  await using app = await open(60, 20, answers(hook("one", { command })));
  await app.until("1 hook is not trusted");
  app.keys("enter");
  const details = await app.until("1. Show all of it");
  expect(details).toContain("echo line 2…");
  expect(details).toContain("2. Trust it as it is now");
  app.keys("1");
  await app.until("echo line 12");
  app.keys("end");
  await app.until("echo line 39");
  app.type("q");
  await app.until("2. Trust it as it is now");
});

test("a hook of the administrator cannot be changed", async () => {
  await using app = await open(100, 40, answers(hook("one", managed)));
  await app.until("Select one to see it");
  app.keys("enter");
  expect(await app.until("Your administrator set it.")).toContain("› 1. Back");
});

test.each<[string, object, string]>([
  ["no hooks", { hooks: [], errors: [] }, "• There are no hooks"],
  [
    "hooks that are not understood",
    { hooks: [], errors: [{ path: "f", message: "hooks.json:1: unknown event" }] },
    "■ hooks.json:1: unknown event",
  ],
])("/hooks with %s says so", async (_, entry, expected) => {
  const data = [{ cwd: "/project", warnings: [], ...entry }];
  await using app = await open(100, 40, { "hooks/list": { data } });
  await app.until(expected);
});
