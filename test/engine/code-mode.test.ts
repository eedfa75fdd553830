import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import type { Prompt } from "../../src/model/types.js";
import { CodexError } from "../../src/protocol/error.js";
import type { ResponseItem } from "../../src/protocol/types.js";
import { startTestCodex, text } from "../support/codex.js";
import { fakeHooks } from "../support/fake-hooks.js";
import { calls, callsCustom, says } from "../support/model.js";

const go = { type: "user_input", items: text("go") } as const;
const config = { model: "gpt-6-sol", sandbox_mode: "danger-full-access", approval_policy: "never" };

/** For conditions that no event reports. */
const patience = { timeout: 20_000, interval: 20 };

const exec = (source: string, id = "x1") => callsCustom("exec", source, id);

function namesIn(prompt: Prompt | undefined): string[] {
  return (prompt?.tools ?? []).map((tool) => ("name" in tool ? tool.name : tool.type));
}

/** Texts of the output of a call after its header. */
function outputOf(prompt: Prompt | undefined, id = "x1"): string[] {
  const isOutput = (item: ResponseItem) => "output" in item && item.call_id === id;
  const item = prompt?.input.find(isOutput);
  if (item === undefined || !("output" in item)) return [];
  if (typeof item.output === "string") return [item.output];
  return item.output.map((part) => (part.type === "input_text" ? part.text : part.type)).slice(1);
}

test("a model that works with scripts gets `exec` and `wait`, and scripts call the other tools", async () => {
  const script = `
    const { output, exit_code } = await tools.exec_command({ cmd: "echo hi; exit 3" });
    text(output); text(exit_code);
    text(await tools.apply_patch("*** Begin Patch\\n*** Add File: n.txt\\n+n\\n*** End Patch"));
    text(ALL_TOOLS.map(({ name }) => name).includes("view_image"));`;
  await using codex = await startTestCodex({ model: [exec(script), says("Done.")], config });

  const events = await codex.turn(go);

  const names = [
    "exec",
    "wait",
    "request_user_input",
    "request_user_input_async",
    "clock",
    "collaboration",
  ];
  expect(namesIn(codex.prompts[0])).toEqual(names);
  const [spec] = codex.prompts[0]?.tools ?? [];
  expect(spec).toMatchObject({ type: "custom", format: { syntax: "lark" } });
  expect(JSON.stringify(spec)).toContain("exec_command(args: {");
  expect(outputOf(codex.prompts[1])).toEqual(["hi\n", "3", "{}", "true"]);
  expect(existsSync(join(codex.workspace, "n.txt"))).toBe(true);
  const ids = events.flatMap((msg) => ("call_id" in msg ? [msg.call_id] : []));
  expect(new Set(ids.map((id) => id.replace(/[0-9a-f-]{36}$/, "ID")))).toEqual(
    new Set(["exec-ID"]),
  );
});

test("a call of a script needs the approval of any call; a refusal is thrown", async () => {
  const script = `
    const args = { cmd: "touch x", sandbox_permissions: "require_escalated", justification: "Needed." };
    try { await tools.exec_command(args); } catch (error) { text(typeof error); }
    await tools.exec_command(args); text("ran");`;
  await using codex = await startTestCodex({
    model: [exec(script), says("Done.")],
    config: { ...config, sandbox_mode: "read-only", approval_policy: "on-request" },
  });
  codex.submit(go);

  for (const decision of ["denied", "approved"] as const) {
    const { msg } = await codex.until("exec_approval_request");
    codex.submit({ type: "exec_approval", id: msg.call_id, decision });
  }
  await codex.until("task_complete");

  expect(outputOf(codex.prompts[1])).toEqual(["string", "ran"]);
  expect(existsSync(join(codex.workspace, "x"))).toBe(true);
});

test("a script that is still running is continued by `wait`, also in a later turn", async () => {
  const script =
    '// @exec: {"yield_time_ms": 1}\nawait tools.exec_command({ cmd: "sleep 0.3" }); text("b")';
  await using codex = await startTestCodex({
    model: [
      exec(script),
      says("Later."),
      calls("wait", { cell_id: "1" }, "w1"),
      calls("wait", { cell_id: "1", terminate: true }, "w2"),
      says("Done."),
    ],
    config,
  });

  await codex.turn(go);
  await codex.turn(go);

  expect(codex.prompts[1]?.input.at(-1)).toMatchObject({
    output: expect.stringContaining("Script running with cell ID 1\nWall time"),
  });
  expect(outputOf(codex.prompts[3], "w1")).toEqual(["b"]);
  expect(outputOf(codex.prompts[4], "w2")).toEqual(["Script error:\nexec cell 1 not found"]);
});

test("what the client would be asked after the turn of a script is refused", async () => {
  const script = `// @exec: {"yield_time_ms": 1}
    while ((await tools.exec_command({ cmd: "test -e over" })).exit_code !== 0);
    await tools.lookup({}).catch(text);
    await tools.request_permissions({ permissions: { network: { enabled: true } } }).catch(text);`;
  await using codex = await startTestCodex({
    model: [exec(script), says("Later."), calls("wait", { cell_id: "1" }, "w1"), says("Done.")],
    config: {
      ...config,
      sandbox_mode: "workspace-write",
      approval_policy: "on-request",
      features: { request_permissions_tool: true },
    },
    configure: false,
  });
  const inputSchema = { type: "object", properties: {} };
  const lookup = { name: "lookup", description: "Looks it up.", inputSchema };
  codex.submit({ type: "configure_session", dynamic_tools: [lookup] }, "");
  await codex.turn(go);
  writeFileSync(join(codex.workspace, "over"), "");

  await codex.turn(go);

  const refusal = "the turn that started this script has ended, so the client cannot be asked";
  expect(outputOf(codex.prompts[3], "w1")).toEqual([refusal, refusal]);
});

test("a notice is a further output of its call, after the first", async () => {
  const script = 'notify("n"); text("t")';
  await using codex = await startTestCodex({ model: [exec(script), says("Done.")], config });

  await codex.turn(go);

  expect(codex.prompts[1]?.input.slice(-2)).toMatchObject([
    { type: "custom_tool_call_output", call_id: "x1" },
    { type: "custom_tool_call_output", call_id: "x1", name: "exec", output: "n" },
  ]);
});

test("an interrupt ends the script and its command", async () => {
  const script =
    'await tools.exec_command({ cmd: "echo $$ > pid; exec sleep 60", yield_time_ms: 20000 })';
  await using codex = await startTestCodex({ model: [exec(script), says("Again.")], config });
  codex.submit(go);
  const pidFile = join(codex.workspace, "pid");
  await vi.waitFor(() => expect(readFileSync(pidFile, "utf8")).toMatch(/^\d+\n$/), patience);
  const pid = Number(readFileSync(pidFile, "utf8"));

  codex.submit({ type: "interrupt" });
  await codex.until("turn_aborted");
  await vi.waitFor(() => expect(() => process.kill(pid, 0)).toThrow(), patience);
  await codex.turn(go);

  expect(outputOf(codex.prompts[1])[0]).toBe("aborted");
});

test("tools can still be called directly", async () => {
  await using codex = await startTestCodex({
    model: [calls("exec_command", { cmd: "echo direct" }, "x1"), says("Done.")],
    config,
  });

  await codex.turn(go);

  expect(JSON.stringify(codex.prompts[1]?.input.at(-1))).toContain("direct");
});

test.each([
  ["beside the other tools", { code_mode: true }, "gpt-5.5", ["exec", "wait", "exec_command"]],
  ["alone", { code_mode_only: true }, "gpt-5.5", ["exec", "wait", "request_user_input"]],
  ["not at all", { code_mode: false }, "gpt-6-sol", ["exec_command", "write_stdin"]],
] as const)("the user's settings offer scripts %s", async (_, features, model, names) => {
  await using codex = await startTestCodex({
    model: [says("Done.")],
    config: { ...config, model, features },
  });

  await codex.turn(go);

  expect(namesIn(codex.prompts[0]).slice(0, names.length)).toEqual(names);
});

test("a model that knows no plain-text tools has `exec` as a function", async () => {
  await using codex = await startTestCodex({
    model: [calls("exec", { source: 'notify("n"); text(1)' }, "x1"), says("Done.")],
    config: { ...config, model: "some-model", features: { code_mode: true } },
  });

  await codex.turn(go);

  expect(codex.prompts[0]?.tools[0]).toMatchObject({
    type: "function",
    name: "exec",
    parameters: { required: ["source"] },
  });
  expect(outputOf(codex.prompts[1])).toEqual(["1"]);
  expect(codex.prompts[1]?.input.at(-1)).toMatchObject({ type: "message", role: "developer" });
});

test("without a sandbox scripts are refused, and the tools are offered directly", async () => {
  await using codex = await startTestCodex({
    model: [exec("text(1)"), says("Done.")],
    config,
    isolate: async () => new CodexError("sandbox_unavailable", "No sandbox available: a test."),
  });

  await codex.turn(go);

  expect(outputOf(codex.prompts[1])[0]).toMatch(
    "Scripts cannot run here: No sandbox available: a test. Call the tools directly",
  );
  expect(namesIn(codex.prompts[1])).toContain("exec_command");
});

test("tools of MCP servers beyond the limit are only listed for scripts", async () => {
  const dynamic_tools = Array.from({ length: 3 }, (_, n) => ({
    name: `tool_${n}`,
    description: "A tool.",
    inputSchema: { type: "object", properties: { someArgument: { type: "string" } } },
    deferLoading: true,
  }));
  await using codex = await startTestCodex({
    model: [
      exec("text(ALL_TOOLS.find(({ name }) => name === 'tool_2').description)"),
      says("Done."),
    ],
    config: { ...config, tools: { search_above: 2 } },
    configure: false,
  });
  codex.submit({ type: "configure_session", dynamic_tools }, "");

  await codex.turn(go);

  expect(JSON.stringify(codex.prompts[0]?.tools)).not.toContain("someArgument");
  expect(outputOf(codex.prompts[1])[0]).toContain("someArgument?: string");
});

test("the user decides which namespaces of tools scripts have, and how long they are waited for", async () => {
  const tool = (name: string) => ({ name, description: "", inputSchema: { type: "object" } });
  const code_mode = {
    default_exec_yield_time_ms: 1,
    direct_only_tool_namespaces: ["asked"],
    excluded_tool_namespaces: ["hidden"],
  };
  await using codex = await startTestCodex({
    model: [
      exec('// @exec: {"yield_time_ms": 30000}\ntext(Object.keys(tools))'),
      exec("await new Promise(() => {})", "x2"),
      says("Done."),
    ],
    config: { ...config, features: { code_mode } },
    configure: false,
  });
  const dynamic_tools = ["asked", "hidden", "free"].map((namespace) => ({
    ...tool("t"),
    namespace,
  }));
  codex.submit({ type: "configure_session", dynamic_tools }, "");

  await codex.turn(go);

  expect(namesIn(codex.prompts[0])).toContain("asked");
  expect(namesIn(codex.prompts[0])).not.toContain("free");
  const [names = ""] = outputOf(codex.prompts[1]);
  expect([names.includes("free__t"), /asked|hidden/.test(names)]).toEqual([true, false]);
  expect(JSON.stringify(codex.prompts[2]?.input.at(-1))).toContain("Script running with cell ID 2");
});

test("hooks see the calls of a script, and not the script", async () => {
  const seen: string[] = [];
  const script = 'try { await tools.exec_command({ cmd: "echo no" }) } catch (e) { text(e) }';
  await using codex = await startTestCodex({
    model: [exec(script), says("Done.")],
    config,
    hooks: async () =>
      fakeHooks({
        PreToolUse: ({ input }) => {
          const { tool_name, tool_use_id } = input as Record<string, unknown>;
          seen.push(`${tool_name} ${String(tool_use_id).slice(0, 5)}`);
          return { blocked: { reason: "nested no", runId: "r" } };
        },
      }),
  });

  await codex.turn(go);

  expect(seen).toEqual(["Bash exec-"]);
  expect(outputOf(codex.prompts[1])).toEqual([
    "Command blocked by PreToolUse hook: nested no. Command: echo no",
  ]);
});

test("older versions know no scripts", async () => {
  await using codex = await startTestCodex({ model: [says("Done.")], config, era: "0.104" });

  await codex.turn(go);

  expect(namesIn(codex.prompts[0])).toContain("exec_command");
});

test("output of a command in a script is streamed, also if it comes late", async () => {
  const cmd = "sleep 0.4; echo one; sleep 0.4; echo two";
  // The second call returns before there is output; the process goes on in the background.
  const script = `
    await tools.exec_command({ cmd: ${JSON.stringify(cmd)} });
    const { session_id } = await tools.exec_command({ cmd: ${JSON.stringify(cmd)}, yield_time_ms: 250 });
    text((await tools.write_stdin({ session_id, chars: "", yield_time_ms: 20000 })).output);`;
  await using codex = await startTestCodex({ model: [exec(script), says("Done.")], config });

  const events = await codex.turn(go);

  const streamed = new Map<string, string>();
  for (const msg of events) {
    if (msg.type !== "exec_command_output_delta") continue;
    const chunk = Buffer.from(msg.chunk, "base64").toString();
    streamed.set(msg.call_id, (streamed.get(msg.call_id) ?? "") + chunk);
  }
  expect([...streamed.values()]).toEqual(["one\ntwo\n", "one\ntwo\n"]);
});
