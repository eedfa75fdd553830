import { describe, expect, test } from "vitest";
import {
  type CommandResult,
  deniedMessage,
  deniedText,
  executionError,
  failureMessage,
  startFailure,
  startFailureFromText,
} from "../../src/exec/failure.js";

const notFound = {
  kind: "start",
  message: "No such file or directory",
  errno: 2,
  errorKind: "NotFound",
} as const;

describe("a program that cannot be started", () => {
  test("is described by the system's error", () => {
    expect(startFailure(Object.assign(new Error("spawn x ENOENT"), { code: "ENOENT" }))).toEqual(
      notFound,
    );
  });

  test("is recognized by the system's text alone", () => {
    expect(startFailureFromText("No such file or directory")).toEqual(notFound);
    expect(startFailureFromText("Permission denied")).toMatchObject({
      errno: 13,
      errorKind: "PermissionDenied",
    });
  });

  test.each([
    [
      "a NUL byte",
      Object.assign(new Error("x"), { code: "ERR_INVALID_ARG_VALUE" }),
      "nul byte found in provided data",
    ],
    ["an unknown error", Object.assign(new Error("odd"), { code: "EODD" }), "odd"],
  ])("%s has no error number", (_, error, message) => {
    expect(startFailure(error)).toEqual({ kind: "start", message, errorKind: "InvalidInput" });
  });

  test("an unknown text stays as it is", () => {
    expect(startFailureFromText("bwrap: odd")).toEqual({
      kind: "start",
      message: "bwrap: odd",
      errorKind: "InvalidInput",
    });
  });
});

test.each([
  [
    notFound,
    "No such file or directory (os error 2)",
    'Io(Os { code: 2, kind: NotFound, message: "No such file or directory" })',
  ],
  [
    { kind: "start", message: 'say "x"', errorKind: "InvalidInput" } as const,
    'say "x"',
    'Io(Custom { kind: InvalidInput, error: "say \\"x\\"" })',
  ],
  [
    { kind: "signal", number: 9 } as const,
    "sandbox error: command was killed by a signal",
    "Sandbox(Signal(9))",
  ],
  [{ kind: "sandbox", message: "no bwrap" } as const, "no bwrap", "no bwrap"],
])("%j is described to the user and to the model", (failure, forUser, forModel) => {
  expect(failureMessage(failure as never)).toBe(forUser);
  expect(executionError(failure as never)).toBe(`execution error: ${forModel}`);
});

describe("a command that the sandbox stopped", () => {
  const result: CommandResult = {
    exitCode: 1,
    stdout: "out",
    stderr: "err\t\u0007",
    aggregated: "both",
    durationMs: 12.5,
    timedOut: false,
    interrupted: false,
    sandbox: "bubblewrap" as never,
  };

  test.each([
    [{ aggregated: "both" }, "both"],
    [{ aggregated: " " }, "err\t\u0007\nout"],
    [{ aggregated: "", stderr: "" }, "out"],
    [
      { aggregated: "", stderr: "", stdout: "\n" },
      "command failed inside sandbox with exit code 1",
    ],
  ])("with %j the user sees %j", (given, text) => {
    expect(deniedMessage({ ...result, ...given })).toBe(text);
  });

  test("the short form has the standard error", () => {
    expect(deniedText(result, "short")).toBe("failed in sandbox: err\t\u0007");
  });

  test("the debug form has everything, with escapes", () => {
    const text = deniedText({ ...result, durationMs: 2500 }, "debug");

    expect(text).toContain(
      'stderr: StreamOutput { text: "err\\t\\u{7}", truncated_after_lines: None }',
    );
    expect(text).toContain("duration: 2.5s");
    expect(text).toMatch(/^failed in sandbox LinuxSeccomp with execution error: Denied \{/);
    expect(deniedText(result, "debug")).toContain("duration: 12.5ms");
    expect(deniedText({ ...result, sandbox: "seatbelt" }, "debug")).toContain("MacosSeatbelt");
  });
});
