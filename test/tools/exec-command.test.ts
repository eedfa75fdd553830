import { expect, test } from "vitest";
import { startTestCodex, type TestCodex, text } from "../support/codex.js";
import { calls, says } from "../support/model.js";

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

test("an unknown session is told to the model", async () => {
  await using codex = await startTestCodex({
    model: [calls("write_stdin", { session_id: 7 }), says("Done.")],
  });

  await codex.turn(go);

  expect(outputs(codex)).toEqual(["execution error: Unknown process id 7"]);
});

test("what was left running ends with the session", async () => {
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

function outputs(codex: TestCodex): string[] {
  const items = codex.prompts.at(-1)?.input ?? [];
  return items.flatMap((item) => ("output" in item ? [String(item.output)] : []));
}
