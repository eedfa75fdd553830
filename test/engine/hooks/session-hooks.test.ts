import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import type { HookEventName } from "../../../src/hooks/index.js";
import { createDeferred } from "../../../src/lib/async.js";
import { defineTool, ok, parameters } from "../../../src/tools/index.js";
import {
  startTestCodex,
  type TestCodex,
  type TestCodexOptions,
  text,
} from "../../support/codex.js";
import { type FakeHooks, fakeHooks } from "../../support/fake-hooks.js";
import { calls, hangs, says } from "../../support/model.js";

const go = { type: "user_input", items: text("go") } as const;

function start(hooks: FakeHooks, options: TestCodexOptions) {
  return startTestCodex({ ...options, hooks: async () => hooks });
}

/** Texts of the messages in a request, with their roles. */
function messages(codex: { prompts: readonly { input: readonly object[] }[] }, at = -1): string[] {
  return (codex.prompts.at(at)?.input ?? []).flatMap((item) => {
    if (!("role" in item && "content" in item)) return [];
    const parts = item.content as { text?: string }[];
    return [`${item.role}: ${parts.map((part) => part.text).join("")}`];
  });
}

function rolloutPath({ events }: Pick<TestCodex, "events">): string {
  const msg = events.map((event) => event.msg).find(({ type }) => type === "session_configured");
  return msg?.type === "session_configured" ? msg.rollout_path : "";
}

const sessionFields = (input: Readonly<Record<string, unknown>> | undefined) => {
  const {
    session_id: _id,
    transcript_path: _path,
    cwd: _cwd,
    model: _model,
    ...rest
  } = input ?? {};
  return rest;
};

test("SessionStart runs at the first turn only, and its contexts stand before the user's message", async () => {
  const hooks = fakeHooks({ SessionStart: () => ({ contexts: ["one", "two"] }) });
  await using codex = await start(hooks, { model: [says("a"), says("b")] });
  expect(hooks.calls).toEqual([]);

  await codex.turn(go);
  await codex.turn(go);

  expect(hooks.calls.map(({ names, input }) => [names, sessionFields(input)])).toEqual([
    [
      ["startup"],
      { hook_event_name: "SessionStart", permission_mode: "bypassPermissions", source: "startup" },
    ],
  ]);
  expect(messages(codex, 0).slice(-3)).toEqual(["developer: one", "developer: two", "user: go"]);
});

test("SessionStart that stops ends the turn before the model is asked", async () => {
  const hooks = fakeHooks({ SessionStart: () => ({ stopped: { reason: "enough" } }) });
  await using codex = await start(hooks, { model: [says("a")] });

  const events = await codex.turn(go);

  expect(codex.prompts).toEqual([]);
  expect(events.at(-1)).toMatchObject({ type: "task_complete", last_agent_message: null });
});

test.each([
  ["resume", {}],
  ["fork", { is_copy: true }],
])("the first turn after a %s has that source", async (source, fields) => {
  const first = await startTestCodex({ model: [says("a")] });
  await using _ = first;
  await first.turn(go);
  const resume_path = rolloutPath(first);
  await first.shutdown();
  const hooks = fakeHooks({ SessionStart: () => ({}) });
  await using codex = await start(hooks, { model: [says("b")], sharing: first, configure: false });
  codex.submit({ type: "configure_session", resume_path, ...fields });
  await codex.until("session_configured");

  await codex.turn(go);

  expect(hooks.calls.map(({ input }) => input.source)).toEqual([source]);
});

test("after a compaction SessionStart runs again at the next turn", async () => {
  const hooks = fakeHooks({ SessionStart: () => ({}) });
  await using codex = await start(hooks, { model: [says("a"), says("summary"), says("b")] });

  await codex.turn(go);
  await codex.turn({ type: "compact" });
  await codex.turn(go);

  expect(hooks.calls.map(({ input }) => input.source)).toEqual(["startup", "compact"]);
});

test("SessionEnd runs when the session ends, and then the hooks are closed", async () => {
  const hooks = fakeHooks({ SessionEnd: () => ({}) });
  const codex = await start(hooks, {});

  await codex[Symbol.asyncDispose]();

  const { session_id, transcript_path, cwd, ...rest } = hooks.calls[0]?.input ?? {};
  expect([typeof session_id, typeof transcript_path, cwd]).toEqual([
    "string",
    "string",
    codex.workspace,
  ]);
  expect(rest).toEqual({ hook_event_name: "SessionEnd", reason: "other" });
  expect(hooks.isClosed).toBe(true);
});

test("the context of UserPromptSubmit follows the user's message", async () => {
  const hooks = fakeHooks({ UserPromptSubmit: () => ({ contexts: ["the sky is green"] }) });
  await using codex = await start(hooks, { model: [says("a")] });

  await codex.turn(go);

  expect(messages(codex).slice(-2)).toEqual(["user: go", "developer: the sky is green"]);
  expect(hooks.calls[0]?.input).toMatchObject({ prompt: "go" });
});

test.each([
  ["blocks", { blocked: { reason: "no secrets", runId: "r" } }],
  ["stops", { stopped: { reason: "no more" } }],
])("a prompt that UserPromptSubmit %s reaches neither the model nor the log", async (_, answer) => {
  const hooks = fakeHooks({
    UserPromptSubmit: ({ input }) => (String(input.prompt).includes("secret") ? answer : {}),
  });
  await using codex = await start(hooks, { model: [says("a")], items: true });

  const events = await codex.turn({ type: "user_input", items: text("my secret plan") });
  await codex.turn(go);

  expect(events.map(({ type }) => type)).toEqual(["task_started", "task_complete"]);
  expect(messages(codex).join()).not.toContain("secret");
  const log = readFileSync(rolloutPath(codex), "utf8");
  expect(log).not.toContain("secret");
});

test("what a tool shows to the model is no prompt of the user", async () => {
  const hooks = fakeHooks({ UserPromptSubmit: () => ({}) });
  const show = defineTool({
    name: "show",
    description: "show",
    input: parameters({}, []),
    async run(_, { addInput }) {
      addInput(text("a picture"));
      return ok("");
    },
  });
  const model = [calls("show", {}, "c1"), says("Done.")];
  await using codex = await start(hooks, { model, tools: [show] });

  await codex.turn(go);

  expect(hooks.calls.map(({ input }) => input.prompt)).toEqual(["go"]);
  expect(messages(codex)).toContain("user: a picture");
});

test("UserPromptSubmit also decides about input that joins a running turn", async () => {
  const hooks = fakeHooks({
    UserPromptSubmit: ({ input }) =>
      String(input.prompt).includes("secret") ? { blocked: { reason: "no", runId: "r" } } : {},
  });
  const begun = createDeferred<void>();
  const joined = createDeferred<void>();
  const wait = defineTool({
    name: "wait",
    description: "wait",
    input: parameters({}, []),
    async run() {
      begun.resolve();
      await joined.promise;
      return ok("");
    },
  });
  const model = [calls("wait", {}, "c1"), says("Done.")];
  await using codex = await start(hooks, { model, tools: [wait] });

  codex.submit(go);
  await begun.promise;
  codex.submit({ type: "user_input", items: text("my secret plan") });
  codex.submit({ type: "user_input", items: text("and be quick") });
  codex.submit({ type: "get_path" });
  await codex.until("conversation_path");
  joined.resolve();
  await codex.until("task_complete");

  expect(hooks.calls.map(({ input }) => input.prompt)).toEqual([
    "go",
    "my secret plan",
    "and be quick",
  ]);
  expect(
    messages(codex)
      .filter((message) => message.startsWith("user:"))
      .slice(-2),
  ).toEqual(["user: go", "user: and be quick"]);
});

test("a Stop hook that blocks lets the same turn continue with its reason", async () => {
  const hooks = fakeHooks({
    Stop: ({ input }) =>
      input.stop_hook_active === false
        ? { blocked: { reason: 'write the "tests" <too>', runId: "stop:0:/h.json" } }
        : {},
  });
  await using codex = await start(hooks, { model: [says("first"), says("second")], items: true });

  const events = await codex.turn(go);

  expect(messages(codex).at(-1)).toBe(
    'user: <hook_prompt hook_run_id="stop:0:/h.json">write the &quot;tests&quot; &lt;too&gt;</hook_prompt>',
  );
  const prompts = events.filter(
    (msg) => msg.type === "item_completed" && msg.item.type === "HookPrompt",
  );
  expect(prompts).toMatchObject([
    { item: { fragments: [{ text: 'write the "tests" <too>', hookRunId: "stop:0:/h.json" }] } },
  ]);
  expect(events.filter(({ type }) => type === "task_started")).toHaveLength(1);
  expect(events.at(-1)).toMatchObject({ type: "task_complete", last_agent_message: "second" });
  expect(
    hooks.calls.map(({ input }) => [input.stop_hook_active, input.last_assistant_message]),
  ).toEqual([
    [false, "first"],
    [true, "second"],
  ]);
});

test("input that comes while Stop hooks decide is answered in the same turn", async () => {
  const hooks = fakeHooks({
    Stop: async ({ input }) => {
      if (input.last_assistant_message !== "first") return {};
      codex.submit({ type: "steer_input", items: text("and this") });
      await codex.until("submission_accepted");
      return {};
    },
  });
  await using codex: TestCodex = await start(hooks, { model: [says("first"), says("second")] });

  const events = await codex.turn(go);

  expect(messages(codex).at(-1)).toBe("user: and this");
  expect(events.at(-1)).toMatchObject({ type: "task_complete", last_agent_message: "second" });
  expect(hooks.calls.map(({ input }) => input.stop_hook_active)).toEqual([false, false]);
});

test("the prompt of a hook is not a turn of the user: a rollback removes it with its turn", async () => {
  let count = 0;
  const hooks = fakeHooks({
    Stop: () => (count++ === 0 ? { blocked: { reason: "again", runId: "r" } } : {}),
  });
  const codex = await start(hooks, { model: [says("a"), says("b"), says("c")] });
  await using _ = codex;
  await codex.turn(go);

  codex.submit({ type: "thread_rollback", num_turns: 1 });
  await codex.until("thread_rolled_back");
  await codex.turn(go);

  expect(messages(codex).filter((message) => message.startsWith("user: go"))).toHaveLength(1);
  expect(messages(codex).join()).not.toContain("hook_prompt");
});

test("a Stop hook that stops ends the turn", async () => {
  const hooks = fakeHooks({
    Stop: () => ({ blocked: { reason: "x", runId: "r" }, stopped: { reason: "enough" } }),
  });
  await using codex = await start(hooks, { model: [says("first")] });

  const events = await codex.turn(go);

  expect(events.at(-1)).toMatchObject({ type: "task_complete", last_agent_message: "first" });
});

test("PreCompact and PostCompact get the trigger", async () => {
  const hooks = fakeHooks({ PreCompact: () => ({}), PostCompact: () => ({}) });
  await using codex = await start(hooks, { model: [says("a"), says("summary")] });

  await codex.turn(go);
  await codex.turn({ type: "compact" });

  expect(hooks.calls.map(({ event, names, input }) => [event, names, input.trigger])).toEqual([
    ["PreCompact", ["manual"], "manual"],
    ["PostCompact", ["manual"], "manual"],
  ]);
  expect(hooks.calls[0]?.input).not.toHaveProperty("permission_mode");
});

test("PreCompact that stops prevents the compaction and interrupts the turn", async () => {
  const hooks = fakeHooks({
    PreCompact: () => ({ stopped: { reason: "no" } }),
    PostCompact: () => ({}),
  });
  await using codex = await start(hooks, { model: [says("a")], era: "0.166" });
  await codex.turn(go);

  const events = await codex.turn({ type: "compact" });

  expect(events.at(-1)).toMatchObject({ type: "turn_aborted", reason: "interrupted" });
  expect(hooks.calls.map(({ event }) => event)).toEqual(["PreCompact"]);
  expect(codex.prompts).toHaveLength(1);
});

test("PreModelRequest and PostModelRequest surround every request", async () => {
  const events: HookEventName[] = [];
  const follow = (event: HookEventName) => () => {
    events.push(event);
    return {};
  };
  const hooks = fakeHooks({
    PreModelRequest: follow("PreModelRequest"),
    PostModelRequest: follow("PostModelRequest"),
  });
  const model = [calls("update_plan", { plan: [] }, "c1"), says("b")];
  await using codex = await start(hooks, { model });

  await codex.turn(go);

  const pair = ["PreModelRequest", "PostModelRequest"];
  expect(events).toEqual([...pair, ...pair]);
  expect(hooks.calls[1]?.input).toMatchObject({
    status: "completed",
    error: null,
    token_usage: { total_tokens: expect.any(Number), cache_write_input_tokens: 0 },
  });
});

test("a request that a PreModelRequest hook blocks is not made", async () => {
  const hooks = fakeHooks({
    PreModelRequest: () => ({ blocked: { reason: "offline", runId: "r" } }),
  });
  await using codex = await start(hooks, { model: [says("a")] });

  const events = await codex.turn(go);

  expect(codex.prompts).toEqual([]);
  const error = events.find((msg) => msg.type === "error");
  expect(error?.message).toBe("A PreModelRequest hook blocked the request to the model: offline");
});

test("an Interrupt hook runs before the turn is aborted", async () => {
  const order: string[] = [];
  const hooks = fakeHooks({
    async Interrupt() {
      await new Promise((resolve) => setImmediate(resolve));
      order.push("hook");
      return {};
    },
  });
  await using codex = await start(hooks, { model: [hangs(says("a"))] });

  codex.submit(go);
  await codex.until("task_started");
  codex.submit({ type: "interrupt" });
  const aborted = await codex.until("turn_aborted");
  order.push(aborted.msg.reason);

  expect(order).toEqual(["hook", "interrupted"]);
});

test("a second interrupt does not wait for the hooks of the first", async () => {
  const hooks = fakeHooks({ Interrupt: () => new Promise(() => {}) });
  await using codex = await start(hooks, { model: [hangs(says("a"))] });

  codex.submit(go);
  await codex.until("task_started");
  codex.submit({ type: "interrupt" });
  codex.submit({ type: "interrupt" });

  expect((await codex.until("turn_aborted")).msg.reason).toBe("interrupted");
});

test("a review with instructions of the user is decided by UserPromptSubmit", async () => {
  const hooks = fakeHooks({ UserPromptSubmit: () => ({ blocked: { reason: "no", runId: "r" } }) });
  await using codex = await start(hooks, { model: [says("a")] });

  await codex.turn({
    type: "review",
    review_request: { target: { type: "custom", instructions: "look at my secrets" } },
  });

  expect(hooks.calls[0]?.input.prompt).toBe("look at my secrets");
  expect(codex.prompts).toEqual([]);
});

test("the tools of a review have hooks too", async () => {
  const hooks = fakeHooks({ PreToolUse: () => ({ blocked: { reason: "no", runId: "r" } }) });
  const model = [calls("exec_command", { cmd: "git diff" }, "c1"), says("{}")];
  await using codex = await start(hooks, { model });

  await codex.turn({
    type: "review",
    review_request: { target: { type: "uncommittedChanges" } },
  });

  expect(hooks.calls.map(({ input }) => input.tool_input)).toEqual([{ command: "git diff" }]);
});
