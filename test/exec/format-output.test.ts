import { expect, test } from "vitest";
import {
  deniedText,
  executionError,
  failureMessage,
  formattedOutput,
  plainOutput,
  sessionOutput,
  structuredOutput,
} from "../../src/exec/index.js";

const command = { exitCode: 0, aggregated: "hi\n", durationMs: 1_049, timedOut: false };
const lines = { by: "lines" } as const;

test("the structured form is a JSON text with a rounded duration", () => {
  expect(structuredOutput(command, lines)).toBe(
    '{"output":"hi\\n","metadata":{"exit_code":0,"duration_seconds":1}}',
  );
  expect(structuredOutput({ ...command, exitCode: 3, durationMs: 149 }, lines)).toBe(
    '{"output":"hi\\n","metadata":{"exit_code":3,"duration_seconds":0.1}}',
  );
});

test("a time-out is reported in the first line", () => {
  const late = { ...command, exitCode: 124, timedOut: true, durationMs: 1000.7 };

  expect(formattedOutput(late, lines)).toBe("command timed out after 1000 milliseconds\nhi\n");
});

test("a limit cuts in the middle, with the notices of its time", () => {
  const long = { ...command, aggregated: "0123456789\n" };
  const limit = { mode: "bytes", limit: 4 } as const;

  expect(formattedOutput(long, { by: "limit", limit })).toBe(
    "Total output lines: 1\n\n01…7 chars truncated…9\n",
  );
  expect(formattedOutput(long, { by: "limit", limit, tokenNotice: true })).toContain("Warning: ");
});

test("the plain form has the number of lines only if some are missing", () => {
  const limit = { mode: "bytes", limit: 8 } as const;

  expect(plainOutput({ ...command, durationMs: 0 }, limit)).toBe(
    "Exit code: 0\nWall time: 0 seconds\nOutput:\nhi\n",
  );
  expect(plainOutput({ ...command, aggregated: "1\n2\n3\n4\n5\n6\n" }, limit)).toBe(
    "Exit code: 0\nWall time: 1 seconds\nTotal output lines: 6\nOutput:\n1\n2\n…4 chars truncated…5\n6\n",
  );
});

test("the form of sessions shows whether the process is running", () => {
  const output = { chunkId: "a1b2c3", wallTimeMs: 1_234.5, text: "abc\r\ngot abc\r\n" };
  const plain = { tokenNotice: false };

  expect(sessionOutput({ ...output, exitCode: 0 }, { mode: "tokens", limit: 10 }, plain)).toBe(
    "Chunk ID: a1b2c3\nWall time: 1.2345 seconds\nProcess exited with code 0\nOriginal token count: 4\nOutput:\nabc\r\ngot abc\r\n",
  );
  expect(
    sessionOutput({ ...output, sessionId: 7, text: "" }, { mode: "tokens", limit: 1 }, plain),
  ).toBe(
    "Chunk ID: a1b2c3\nWall time: 1.2345 seconds\nProcess running with session ID 7\nOriginal token count: 0\nOutput:\n",
  );
});

test("failures have a text for the user and one for the model", () => {
  const failures = [
    { kind: "start", message: "No such file or directory", errno: 2, errorKind: "NotFound" },
    { kind: "start", message: "command args are empty", errorKind: "InvalidInput" },
    { kind: "signal", signal: "SIGKILL", number: 9 },
    { kind: "sandbox", message: "The sandbox could not be set up: why" },
  ] as const;

  expect(failures.map(failureMessage)).toEqual([
    "No such file or directory (os error 2)",
    "command args are empty",
    "sandbox error: command was killed by a signal",
    "The sandbox could not be set up: why",
  ]);
  expect(failures.map(executionError)).toEqual([
    'execution error: Io(Os { code: 2, kind: NotFound, message: "No such file or directory" })',
    'execution error: Io(Custom { kind: InvalidInput, error: "command args are empty" })',
    "execution error: Sandbox(Signal(9))",
    "execution error: The sandbox could not be set up: why",
  ]);
});

test("a denial is formatted as in two versions", () => {
  const result = {
    exitCode: 1,
    stdout: "",
    stderr: 'bash: "x"\t\\: Permission denied\n\x1b',
    aggregated: "both",
    durationMs: 12.5,
    timedOut: false,
    interrupted: false,
    sandbox: "bubblewrap",
  } as const;

  expect(deniedText(result, "short")).toBe(`failed in sandbox: ${result.stderr}`);
  expect(deniedText(result, "debug")).toBe(
    'failed in sandbox LinuxSeccomp with execution error: Denied { output: ExecToolCallOutput { exit_code: 1, stdout: StreamOutput { text: "", truncated_after_lines: None }, stderr: StreamOutput { text: "bash: \\"x\\"\\t\\\\: Permission denied\\n\\u{1b}", truncated_after_lines: None }, aggregated_output: StreamOutput { text: "both", truncated_after_lines: None }, duration: 12.5ms, timed_out: false } }',
  );
  expect(deniedText({ ...result, sandbox: "seatbelt", durationMs: 1500 }, "debug")).toMatch(
    /^failed in sandbox MacosSeatbelt .* duration: 1\.5s,/,
  );
});
