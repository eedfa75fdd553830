import { existsSync, readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { HookCall } from "../../../src/hooks/index.js";
import type { Step } from "../../../src/model/scripted/index.js";
import { defineTool, ok, parameters } from "../../../src/tools/index.js";
import { startTestCodex, type TestCodexOptions, text } from "../../support/codex.js";
import { type FakeHooks, fakeHooks } from "../../support/fake-hooks.js";
import { calls, callsCustom, callsLocalShell, says } from "../../support/model.js";

const go = { type: "user_input", items: text("go") } as const;
const free = { sandbox_mode: "danger-full-access", approval_policy: "never" };

function start(hooks: FakeHooks, options: TestCodexOptions) {
  return startTestCodex({ config: free, ...options, hooks: async () => hooks });
}

/** Outputs of calls and developer messages in the last request, in order. */
function lastInput(codex: { prompts: readonly { input: readonly object[] }[] }): unknown[] {
  return (codex.prompts.at(-1)?.input ?? []).flatMap((item) => {
    if ("output" in item) return [item.output];
    if (!("role" in item) || item.role !== "developer" || !("content" in item)) return [];
    return (item.content as { text: string }[]).map((part) => part.text);
  });
}

const patch = "*** Begin Patch\n*** Add File: made.txt\n+hello\n*** End Patch";
/** The tools of a session, how hooks name each call, and how a block names it to the model. */
const everyTool: [tool: string, Step[], seen: [string, unknown], blocked: string][] = [
  [
    "exec_command",
    calls("exec_command", { cmd: "touch made.txt" }, "c1"),
    ["Bash", { command: "touch made.txt" }],
    "Command blocked by PreToolUse hook: no. Command: touch made.txt",
  ],
  [
    "shell with a script",
    calls("shell", { command: ["bash", "-lc", "touch made.txt"] }, "c1"),
    ["Bash", { command: "touch made.txt" }],
    "Command blocked by PreToolUse hook: no. Command: touch made.txt",
  ],
  [
    "shell with words",
    calls("shell", { command: ["touch", "made file.txt"] }, "c1"),
    ["Bash", { command: "touch 'made file.txt'" }],
    "Command blocked by PreToolUse hook: no. Command: touch 'made file.txt'",
  ],
  [
    "shell_command",
    calls("shell_command", { command: "touch made.txt" }, "c1"),
    ["Bash", { command: "touch made.txt" }],
    "Command blocked by PreToolUse hook: no. Command: touch made.txt",
  ],
  [
    "a command with arguments that are not JSON",
    calls("exec_command", "touch made.txt", "c1"),
    ["Bash", { command: "touch made.txt" }],
    "Command blocked by PreToolUse hook: no. Command: touch made.txt",
  ],
  [
    "local_shell",
    callsLocalShell(["touch", "made.txt"], "c1"),
    ["Bash", { command: "touch made.txt" }],
    "Command blocked by PreToolUse hook: no. Command: touch made.txt",
  ],
  [
    "write_stdin",
    calls("write_stdin", { session_id: 1, chars: "x" }, "c1"),
    ["write_stdin", { session_id: 1, chars: "x" }],
    "Tool call blocked by PreToolUse hook: no. Tool: write_stdin",
  ],
  [
    "apply_patch",
    callsCustom("apply_patch", patch, "c1"),
    ["apply_patch", { command: patch }],
    `Command blocked by PreToolUse hook: no. Command: ${patch}`,
  ],
  [
    "apply_patch as a function",
    calls("apply_patch", { input: patch }, "c1"),
    ["apply_patch", { command: patch }],
    `Command blocked by PreToolUse hook: no. Command: ${patch}`,
  ],
  [
    "view_image",
    calls("view_image", { path: "p.png" }, "c1"),
    ["view_image", { path: "p.png" }],
    "Tool call blocked by PreToolUse hook: no. Tool: view_image",
  ],
  [
    "update_plan",
    calls("update_plan", { plan: [{ step: "one", status: "pending" }] }, "c1"),
    ["update_plan", { plan: [{ step: "one", status: "pending" }] }],
    "Tool call blocked by PreToolUse hook: no. Tool: update_plan",
  ],
  [
    "request_user_input",
    calls("request_user_input", { questions: [] }, "c1"),
    ["request_user_input", { questions: [] }],
    "Tool call blocked by PreToolUse hook: no. Tool: request_user_input",
  ],
];

test.each(everyTool)("a PreToolUse hook sees and blocks %s", async (_, call, seen, blocked) => {
  const hooks = fakeHooks({ PreToolUse: () => ({ blocked: { reason: "no", runId: "r" } }) });
  await using codex = await start(hooks, { model: [call, says("Done.")] });

  const events = await codex.turn(go);

  const { tool_name, tool_input } = hooks.calls[0]?.input ?? {};
  expect([tool_name, tool_input]).toEqual(seen);
  expect(lastInput(codex)).toContain(blocked);
  expect(existsSync(join(codex.workspace, "made.txt"))).toBe(false);
  const kinds = events.map(({ type }) => type);
  expect(kinds.filter((type) => /exec_command|patch_apply|plan_update/.test(type))).toEqual([]);
});

test("hooks get the ids, the folder, the model and the mode of the call", async () => {
  const hooks = fakeHooks({ PreToolUse: () => ({}) });
  const model = [calls("exec_command", { cmd: "true" }, "c1"), says("Done.")];
  await using codex = await start(hooks, { model });

  await codex.turn(go);

  const configured = codex.events.find(({ msg }) => msg.type === "session_configured")?.msg;
  const started = codex.events.find(({ msg }) => msg.type === "task_started");
  expect(hooks.calls).toMatchObject([
    { event: "PreToolUse", names: ["Bash"], callId: "c1", turnId: started?.turn_id },
  ]);
  expect(hooks.calls[0]?.input).toEqual({
    session_id: started?.thread_id,
    turn_id: started?.turn_id,
    transcript_path: (configured as { rollout_path: string }).rollout_path,
    cwd: codex.workspace,
    hook_event_name: "PreToolUse",
    model: (configured as { model: string }).model,
    permission_mode: "bypassPermissions",
    tool_name: "Bash",
    tool_input: { command: "true" },
    tool_use_id: "c1",
  });
});

test("the input that a hook returns runs, and PostToolUse sees it with the bare output", async () => {
  const hooks = fakeHooks({
    PreToolUse: () => ({ updatedInput: { command: "echo changed" } }),
    PostToolUse: () => ({}),
  });
  const model = [calls("exec_command", { cmd: "echo hi" }, "c1"), says("Done.")];
  await using codex = await start(hooks, { model });

  const events = await codex.turn(go);

  const begin = events.find((msg) => msg.type === "exec_command_begin");
  expect(begin?.command.at(-1)).toBe("echo changed");
  expect(hooks.calls[1]?.input).toMatchObject({
    hook_event_name: "PostToolUse",
    tool_name: "Bash",
    tool_input: { command: "echo changed" },
    tool_response: "changed\n",
    tool_use_id: "c1",
  });
});

test("a tool runs with exactly the values that hooks have seen, also if a key is given twice", async () => {
  const hooks = fakeHooks({ PreToolUse: () => ({}) });
  const args = '{"cmd":"echo one","cmd":"echo two"}';
  const model = [calls("exec_command", args, "c1"), says("Done.")];
  await using codex = await start(hooks, { model });

  const events = await codex.turn(go);

  expect(hooks.calls[0]?.input.tool_input).toEqual({ command: "echo two" });
  const begin = events.find((msg) => msg.type === "exec_command_begin");
  expect(begin?.command.at(-1)).toBe("echo two");
});

test("changed input of the wrong shape fails the call", async () => {
  const hooks = fakeHooks({ PreToolUse: () => ({ updatedInput: { cmd: "echo changed" } }) });
  const model = [calls("exec_command", { cmd: "echo hi" }, "c1"), says("Done.")];
  await using codex = await start(hooks, { model });

  await codex.turn(go);

  expect(lastInput(codex)).toContain("hook returned updatedInput without string field `command`");
});

test("contexts are developer messages between the call and its output, even if it is blocked", async () => {
  const hooks = fakeHooks({
    PreToolUse: () => ({ contexts: ["first", "second"], blocked: { reason: "no", runId: "r" } }),
  });
  const model = [calls("exec_command", { cmd: "echo hi" }, "c1"), says("Done.")];
  await using codex = await start(hooks, { model, era: "0.166" });

  await codex.turn(go);

  expect(lastInput(codex).slice(-3)).toEqual([
    "first",
    "second",
    "Command blocked by PreToolUse hook: no. Command: echo hi",
  ]);
});

test.each([
  ["blocks", { blocked: { reason: "look again", runId: "r" } }],
  ["stops", { stopped: { reason: "look again" } }],
])(
  "if a PostToolUse hook %s, the model gets its reason instead of the output",
  async (_, answer) => {
    const hooks = fakeHooks({ PostToolUse: () => answer });
    const model = [calls("exec_command", { cmd: "echo hi" }, "c1"), says("Done.")];
    await using codex = await start(hooks, { model });

    await codex.turn(go);

    expect(lastInput(codex).at(-1)).toBe("look again");
  },
);

test("PostToolUse does not follow a call that failed before it did anything", async () => {
  const hooks = fakeHooks({ PostToolUse: () => ({}) });
  const model = [calls("apply_patch", { input: "no patch" }, "c1"), says("Done.")];
  await using codex = await start(hooks, { model });

  await codex.turn(go);

  expect(hooks.calls).toEqual([]);
});

test("a command that outlives its call is reported to PostToolUse under its own id when it ends", async () => {
  const hooks = fakeHooks({ PostToolUse: () => ({}) });
  const model = [
    calls("exec_command", { cmd: "read x; echo got $x", tty: true, yield_time_ms: 250 }, "c1"),
    calls("write_stdin", { session_id: 1000, chars: "hey\n", yield_time_ms: 5000 }, "w1"),
    says("Done."),
  ];
  await using codex = await start(hooks, { model });

  await codex.turn(go);

  expect(hooks.calls.map(({ callId }) => callId)).toEqual(["c1"]);
  expect(hooks.calls[0]?.input).toMatchObject({
    tool_name: "Bash",
    tool_input: { command: "read x; echo got $x" },
    tool_use_id: "c1",
  });
  expect(hooks.calls[0]?.input.tool_response).toContain("got hey");
});

test("a patch inside a command is also one for the hooks of patches", async () => {
  const isForPatches = ({ names }: HookCall) => names?.includes("apply_patch") ?? false;
  const hooks = fakeHooks({
    PreToolUse: (call) =>
      isForPatches(call) ? { blocked: { reason: "no patches", runId: "r" } } : {},
  });
  const cmd = `apply_patch <<'EOF'\n${patch}\nEOF`;
  await using codex = await start(hooks, {
    model: [calls("exec_command", { cmd }, "c1"), says("x")],
  });

  await codex.turn(go);

  expect(existsSync(join(codex.workspace, "made.txt"))).toBe(false);
  expect(hooks.calls.map(({ names, unless, input }) => [names, unless, input.tool_input])).toEqual([
    [["Bash"], undefined, { command: cmd }],
    [["apply_patch", "Edit", "Write"], undefined, { command: patch }],
  ]);
  expect(lastInput(codex).at(-1)).toBe(
    `Command blocked by PreToolUse hook: no patches. Command: ${cmd}`,
  );
});

test("with PreToolUse hooks even calls that change nothing run one after the other", async () => {
  const log: string[] = [];
  const look = defineTool({
    name: "look",
    description: "look",
    input: parameters({ n: { type: "number" } }, ["n"]),
    isReadOnly: () => true,
    async run({ n }) {
      log.push(`${n} begins`);
      await new Promise((resolve) => setImmediate(resolve));
      log.push(`${n} ends`);
      return ok("");
    },
  });
  const model = [
    [...calls("look", { n: 1 }, "c1"), ...calls("look", { n: 2 }, "c2")],
    says("Done."),
  ];
  await using codex = await start(fakeHooks({ PreToolUse: () => ({}) }), { model, tools: [look] });

  await codex.turn(go);

  expect(log).toEqual(["1 begins", "1 ends", "2 begins", "2 ends"]);
});

const confined = { sandbox_mode: "read-only", approval_policy: "on-request" };
const escalated = calls(
  "exec_command",
  {
    cmd: "touch made.txt",
    sandbox_permissions: "require_escalated",
    justification: "Needs a file.",
  },
  "c1",
);

test("a PermissionRequest hook that allows a command runs it without asking the user", async () => {
  const hooks = fakeHooks({ PermissionRequest: () => ({ permission: { behavior: "allow" } }) });
  await using codex = await start(hooks, { model: [escalated, says("Done.")], config: confined });

  const events = await codex.turn(go);

  expect(events.map(({ type }) => type)).not.toContain("exec_approval_request");
  expect(existsSync(join(codex.workspace, "made.txt"))).toBe(true);
  const { input, callId } = hooks.calls[0] ?? {};
  expect(callId).toBe("c1");
  expect(input).toMatchObject({
    permission_mode: "default",
    tool_name: "Bash",
    tool_input: { command: "touch made.txt", description: "Needs a file." },
  });
  expect(input).not.toHaveProperty("tool_use_id");
});

test.each([
  ["current", "exec command rejected: not here"],
  ["0.166", 'exec_command failed: CreateProcess { message: "Rejected(\\"not here\\")" }'],
] as const)(
  "a PermissionRequest hook that denies a command in %s answers the model, and there is no item",
  async (era, output) => {
    const hooks = fakeHooks({
      PermissionRequest: () => ({ permission: { behavior: "deny", message: "not here" } }),
    });
    const model = [escalated, says("Done.")];
    await using codex = await start(hooks, { model, config: confined, era });

    const events = await codex.turn(go);

    expect(lastInput(codex).at(-1)).toBe(output);
    expect(events.map(({ type }) => type).filter((type) => type.startsWith("exec_"))).toEqual([]);
    expect(existsSync(join(codex.workspace, "made.txt"))).toBe(false);
  },
);

test("a PermissionRequest hook that denies a patch answers the model, and nobody is asked", async () => {
  const hooks = fakeHooks({
    PermissionRequest: () => ({ blocked: { reason: "no way", runId: "r" } }),
  });
  const model = [calls("apply_patch", { input: patch }, "c1"), says("Done.")];
  await using codex = await start(hooks, { model, config: confined });

  const events = await codex.turn(go);

  expect(events.map(({ type }) => type)).not.toContain("apply_patch_approval_request");
  expect(lastInput(codex).at(-1)).toBe("no way");
});

test("without a decision of its hooks the user is asked", async () => {
  const hooks = fakeHooks({ PermissionRequest: () => ({}) });
  await using codex = await start(hooks, { model: [escalated, says("Done.")], config: confined });

  codex.submit(go);
  const request = await codex.until("exec_approval_request");
  codex.submit({ type: "exec_approval", id: request.msg.call_id, decision: "approved" });
  await codex.until("task_complete");

  expect(existsSync(join(codex.workspace, "made.txt"))).toBe(true);
});

test.each([
  ["allows", { permission: { behavior: "allow" } } as const, /"enabled":true/],
  [
    "denies",
    { permission: { behavior: "deny", message: "stay offline" } } as const,
    /^stay offline$/,
  ],
])(
  "a PermissionRequest hook that %s more permissions decides without the user",
  async (_, answer, output) => {
    const hooks = fakeHooks({ PermissionRequest: () => answer });
    const asked = { permissions: { network: { enabled: true } }, reason: "to download" };
    const model = [calls("request_permissions", asked, "c1"), says("Done.")];
    const config = { ...confined, features: { request_permissions_tool: true } };
    await using codex = await start(hooks, { model, config });

    const events = await codex.turn(go);

    expect(events.map(({ type }) => type)).not.toContain("request_permissions");
    expect(lastInput(codex).at(-1)).toMatch(output);
  },
);

test("the user's own shell commands call no hooks of tools", async () => {
  const hooks = fakeHooks({ PreToolUse: () => ({ blocked: { reason: "no", runId: "r" } }) });
  await using codex = await start(hooks, {});
  await writeFile(join(codex.workspace, "in.txt"), "x");

  await codex.turn({ type: "run_user_shell_command", command: "cp in.txt out.txt" });

  expect(hooks.calls).toEqual([]);
  expect(readFileSync(join(codex.workspace, "out.txt"), "utf8")).toBe("x");
});
