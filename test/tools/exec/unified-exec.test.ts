import { describe, expect, test } from "vitest";
import {
  startTestCodex,
  type TestCodex,
  type TestCodexOptions,
  text,
} from "../../support/codex.js";
import { calls, says } from "../../support/model.js";

const go = { type: "user_input", items: text("go") } as const;

describe("unified_exec", () => {
  test("a program that ends in time leaves no session behind", async () => {
    await using codex = await start([
      calls("unified_exec", { input: ["echo", "hi"], timeout_ms: 60_000 }),
    ]);

    const events = await codex.turn(go);

    expect(outputs(codex)).toEqual([{ session_id: null, output: "hi\r\n" }]);
    expect(events.find(({ type }) => type === "exec_command_begin")).toMatchObject({
      command: ["echo", "hi"],
    });
  });

  test("a program that waits is gone on with by its id", async () => {
    await using codex = await start([
      calls("unified_exec", { input: ["sh", "-c", "read x; echo got $x"], timeout_ms: 50 }),
      calls("unified_exec", { input: ["a", "b\n"], session_id: "1", timeout_ms: 60_000 }),
    ]);

    await codex.turn(go);

    expect(outputs(codex)).toEqual([
      { session_id: "1", output: "" },
      { session_id: null, output: "a b\r\ngot a b\r\n" },
    ]);
  });

  test("of much output the middle is left out", async () => {
    await using codex = await start([
      calls("unified_exec", { input: ["sh", "-c", "seq 1 60000; sleep 0.2"], timeout_ms: 60_000 }),
    ]);

    await codex.turn(go);

    const [{ output }] = outputs(codex) as [{ output: string }];
    const [head = "", tail = ""] = output.split(/…\d+ chars truncated…/);
    expect([head.slice(0, 6), tail.slice(-7)]).toEqual(["1\r\n2\r\n", "60000\r\n"]);
    expect([head.length, tail.length]).toEqual([65_536, 65_536]);
  });

  test.each([
    [{ input: [] }, "unified exec failed: missing command line for unified exec request"],
    [{ input: ["x"], session_id: "7" }, "unified exec failed: Unknown session id 7"],
    [{ input: ["x"], session_id: "seven" }, "invalid session_id: seven"],
  ])("%j is told to the model as a failure", async (args, expected) => {
    await using codex = await start([calls("unified_exec", args)]);

    await codex.turn(go);

    expect(texts(codex)[0]).toMatch(expected);
  });

  test("a process left running ends with the session", async () => {
    await using codex = await start([
      calls("unified_exec", { input: ["sh", "-c", "echo $$; sleep 300"], timeout_ms: 500 }),
    ]);
    await codex.turn(go);
    const [{ output }] = outputs(codex) as [{ output: string }];

    await codex.shutdown();

    expect(Number(output)).toBeGreaterThan(1);
    expect(() => process.kill(Number(output), 0)).toThrow("ESRCH");
  });
});

test.each<[Record<string, unknown>, TestCodexOptions["era"], string[]]>([
  [{}, "0.42", ["shell"]],
  [{ experimental_use_unified_exec_tool: true }, "0.42", ["unified_exec"]],
  [{ experimental_use_exec_command_tool: true }, "0.42", ["exec_command", "write_stdin"]],
  [{ experimental_use_unified_exec_tool: true }, "0.104", ["exec_command", "write_stdin"]],
  [{ experimental_use_exec_command_tool: true }, "0.104", ["exec_command", "write_stdin"]],
  [{ features: { unified_exec: false } }, "0.104", ["shell"]],
  [{ features: { shell_tool: false } }, "0.104", []],
])("with %j, %s offers commands as %j", async (config, era, expected) => {
  await using codex = await startTestCodex({
    model: [says("Done.")],
    config: { ...config, "tools.view_image": false },
    ...(era === undefined ? {} : { era }),
  });

  await codex.turn(go);

  const tools = codex.prompts[0]?.tools ?? [];
  const names = tools.map((tool) => ("name" in tool ? tool.name : tool.type));
  expect(names.filter((name) => !others.has(name))).toEqual(expected);
});

/** Offered tools that are not for commands. */
const others = new Set(["update_plan", "request_user_input", "web_search"]);

test.each<[string, string, string[]]>([
  ["never", "read-only", ["command", "timeout_ms", "workdir"]],
  ["on-request", "danger-full-access", ["command", "timeout_ms", "workdir"]],
  [
    "on-request",
    "read-only",
    ["command", "justification", "timeout_ms", "with_escalated_permissions", "workdir"],
  ],
])(
  "in 0.39, %s with %s lets the model give %j",
  async (approval_policy, sandbox_mode, expected) => {
    await using codex = await startTestCodex({
      model: [says("Done.")],
      era: "0.39",
      config: { approval_policy, sandbox_mode },
    });

    await codex.turn(go);

    const [shell] = codex.prompts[0]?.tools ?? [];
    expect(shell).toMatchObject({ name: "shell", parameters: { required: ["command"] } });
    expect(Object.keys(Object(shell).parameters.properties)).toEqual(expected);
  },
);

function start(model: ReturnType<typeof calls>[]): Promise<TestCodex> {
  return startTestCodex({ model: [...model, says("Done.")] });
}

function outputs(codex: TestCodex): unknown[] {
  return texts(codex).map((output) => JSON.parse(output));
}

function texts(codex: TestCodex): string[] {
  return (codex.prompts.at(-1)?.input ?? []).flatMap((item) =>
    item.type === "function_call_output" && typeof item.output === "string" ? [item.output] : [],
  );
}
