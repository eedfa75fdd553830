import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { startTestCodex, type TestCodex, text } from "../../support/codex.js";
import { calls, says } from "../../support/model.js";

const go = { type: "user_input", items: text("go") } as const;

test("a script that ends in time gives its output and exit code", async () => {
  await using codex = await startTestCodex({
    model: [calls("exec_command", { cmd: "echo out; exit 2", login: false }), says("Done.")],
  });

  const events = await codex.turn(go);

  expect(outputs(codex).at(-1)).toMatch(
    /Process exited with code 2\nOriginal token count: 1\nOutput:\nout\n/,
  );
  expect(events.find((msg) => msg.type === "exec_command_end")).toMatchObject({
    exit_code: 2,
    aggregated_output: "out\n",
  });
});

test.each([
  ["0.104", "a model asks for more than its limit", 9000, /^(?!.*Warning).*…\d+ chars truncated…/s],
  [
    "0.166",
    "a model asks for more than its limit",
    9000,
    /Warning: truncated output \(original token count: 1500\)\n.*…5600 chars truncated…/s,
  ],
  [
    "0.166",
    "a model asks for less",
    50,
    /Warning: truncated output \(original token count: 1500\)\n.*…1450 tokens truncated…/s,
  ],
] as const)(
  "in %s `tool_output_token_limit` holds if %s",
  async (era, _name, max_output_tokens, shown) => {
    const cmd = "printf 'x%.0s' $(seq 6000)";
    await using codex = await startTestCodex({
      era,
      model: [calls("exec_command", { cmd, login: false, max_output_tokens }), says("Done.")],
      config: { tool_output_token_limit: 100, model: "some-model" },
    });

    await codex.turn(go);

    const [output = ""] = outputs(codex);
    expect(output).toMatch(shown);
    expect(output.length).toBeLessThan(700);
  },
);

test("a process that waits for input is gone on with by its id", async () => {
  await using codex = await startTestCodex({
    model: [
      calls(
        "exec_command",
        { cmd: "read x; echo got $x", tty: true, yield_time_ms: 250, login: false },
        "c1",
      ),
      calls("write_stdin", { session_id: 1000, chars: "abc\n", yield_time_ms: 5000 }, "c2"),
      says("Done."),
    ],
  });

  await codex.turn(go);

  const [first, second] = outputs(codex);
  expect(first).toContain("Process running with session ID 1000");
  expect(second).toContain("got abc");
  expect(second).toContain("Process exited with code 0");
});

test("an unknown session is an error for the model", async () => {
  await using codex = await startTestCodex({
    model: [calls("write_stdin", { session_id: 7 }), says("Done.")],
  });

  await codex.turn(go);

  expect(outputs(codex)).toEqual(["execution error: Unknown process id 7"]);
});

test("a process left running ends with the session", async () => {
  await using codex = await startTestCodex({
    model: [
      calls("exec_command", { cmd: "echo $$; sleep 300", yield_time_ms: 300, login: false }),
      says("Left it."),
    ],
  });
  await codex.turn(go);
  const pid = Number(/Output:\n(\d+)/.exec(outputs(codex)[0] ?? "")?.[1]);

  await codex.shutdown();

  expect(pid).toBeGreaterThan(1);
  expect(() => process.kill(pid, 0)).toThrow("ESRCH");
});

test("a script in the user's shell answers in plain lines", async () => {
  await using codex = await startTestCodex({
    model: [calls("shell_command", { command: "echo hi", login: false }), says("Done.")],
  });

  await codex.turn(go);

  expect(outputs(codex)[0]).toMatch(/^Exit code: 0\nWall time: [\d.]+ seconds\nOutput:\nhi\n$/);
});

describe("[clients 3] a patch in a script is a file change", () => {
  const patch = "*** Begin Patch\n*** Add File: a.txt\n+hello\n*** End Patch";
  const forms = {
    "a here-document": [`apply_patch <<'EOF'\n${patch}\nEOF\n`, "a.txt"],
    "an unquoted here-document": [`apply_patch <<EOF\n${patch}\nEOF`, "a.txt"],
    "the name in one word": [`applypatch <<"PATCH"\n${patch}\nPATCH`, "a.txt"],
    "after a change of folder": [`cd sub && apply_patch <<'EOF'\n${patch}\nEOF`, "sub/a.txt"],
    "after one to a quoted folder": [`cd "sub" && applypatch <<'EOF'\n${patch}\nEOF`, "sub/a.txt"],
  } as const;

  test.each(Object.entries(forms))("%s", async (_, [cmd, file]) => {
    await using codex = await startTestCodex({
      model: [calls("exec_command", { cmd }), says("Done.")],
    });
    mkdirSync(join(codex.workspace, "sub"));

    const events = await codex.turn(go);

    const types = events.map(({ type }) => type);
    expect(types).toContain("patch_apply_begin");
    expect(events.find((msg) => msg.type === "patch_apply_end")).toMatchObject({ success: true });
    expect(types.filter((type) => type.startsWith("exec_command"))).toEqual([]);
    expect(readFileSync(join(codex.workspace, file), "utf8")).toBe("hello\n");
    expect(outputs(codex)[0]).toContain("Success. Updated the following files:");
  });

  test("is asked about like any other patch", async () => {
    const cmd = `apply_patch <<'EOF'\n${patch}\nEOF`;
    await using codex = await startTestCodex({
      model: [calls("exec_command", { cmd }, "c1"), says("Done.")],
      config: { approval_policy: "untrusted" },
    });
    codex.submit(go);
    await codex.until("apply_patch_approval_request");

    await codex.submit({ type: "patch_approval", id: "c1", decision: "denied" });
    await codex.until("task_complete");

    expect(existsSync(join(codex.workspace, "a.txt"))).toBe(false);
    expect(outputs(codex)[0]).toContain("rejected by user");
  });

  test("one that does not fit changes nothing and runs nothing", async () => {
    const cmd = "apply_patch <<'EOF'\n*** Begin Patch\n*** Delete File: none\n*** End Patch\nEOF";
    await using codex = await startTestCodex({
      era: "0.104",
      model: [calls("exec_command", { cmd }), says("Done.")],
    });

    const events = await codex.turn(go);

    expect(events.map(({ type }) => type)).not.toContain("exec_command_begin");
    expect(outputs(codex)[0]).toMatch(/^apply_patch verification failed: /);
  });

  test.each([
    ["0.104", /^\{"output":"Success\./],
    ["0.166", /^Wall time: 0\.0000 seconds\nOutput:\n.*Success\./s],
    ["current", /^\{"output":"Success\./],
  ] as const)("as the model of %s is answered", async (era, answer) => {
    const cmd = `apply_patch <<'EOF'\n${patch}\nEOF`;
    await using codex = await startTestCodex({
      era,
      model: [calls("exec_command", { cmd }), says("Done.")],
    });

    await codex.turn(go);

    expect(outputs(codex)[0]).toMatch(answer);
  });

  test("0.45 ran the script as it was", async () => {
    const cmd = `apply_patch <<'EOF'\n${patch}\nEOF`;
    await using codex = await startTestCodex({
      era: "0.45",
      config: { experimental_use_exec_command_tool: true },
      model: [calls("exec_command", { cmd, login: false }), says("Done.")],
    });

    const events = await codex.turn(go);

    expect(events.map(({ type }) => type)).not.toContain("patch_apply_begin");
    expect(existsSync(join(codex.workspace, "a.txt"))).toBe(false);
  });
});

describe("[compat CODEX_THREAD_ID] commands get the id of their thread", () => {
  const show = 'echo "$CODEX_THREAD_ID/$CODEX_SESSION_ID."';
  test.each([
    ["current", (id: string) => `${id}/${id}.`],
    ["0.166", (id: string) => `${id}/${id}.`],
    ["0.104", (id: string) => `${id}/.`],
    ["0.42", () => "/."],
  ] as const)("in %s", async (era, emitted) => {
    await using codex = await startTestCodex({
      era,
      config: { shell_environment_policy: { include_only: ["PATH"] } },
      model: [
        calls("exec_command", { cmd: show, login: false }, "c1"),
        calls("shell", { command: ["bash", "-c", show] }, "c2"),
        says("Done."),
      ],
    });
    const configured = codex.events.find(({ msg }) => msg.type === "session_configured");
    const id = configured?.msg.type === "session_configured" ? configured.msg.session_id : "";

    await codex.turn(go);

    const [, last = ""] = outputs(codex);
    expect(last).toContain(emitted(String(id)));
    if (era !== "0.42") expect(outputs(codex)[0]).toContain(emitted(String(id)));
  });
});

function outputs(codex: TestCodex): string[] {
  const items = codex.prompts.at(-1)?.input ?? [];
  return items.flatMap((item) => ("output" in item ? [String(item.output)] : []));
}
