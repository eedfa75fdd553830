import { expect, test } from "vitest";
import { type EndedCommand, wasDenied } from "../../../src/tools/exec/run-command.js";

const ended: EndedCommand = {
  sandbox: "bubblewrap",
  exitCode: 1,
  stdout: "",
  stderr: "",
  aggregated: "",
};

test("by the older rule every failure in a sandbox counts, but for a command that is not there", () => {
  const judge = (change: Partial<EndedCommand>) =>
    wasDenied({ ...ended, ...change }, "any-failure");

  expect([1, 2, 126, 127, 0].map((exitCode) => judge({ exitCode }))).toEqual([
    true,
    true,
    true,
    false,
    false,
  ]);
  expect(judge({ sandbox: "none" })).toBe(false);
});

test("by the newer rule the output must show a denial, or the filter must have killed it", () => {
  const judge = (change: Partial<EndedCommand>) =>
    wasDenied({ ...ended, ...change }, "telltale-output");

  expect(judge({})).toBe(false);
  expect(judge({ stderr: "touch: cannot touch 'x': Read-only file system" })).toBe(true);
  expect(judge({ stdout: "OPERATION NOT PERMITTED", exitCode: 127 })).toBe(true);
  expect(judge({ aggregated: "failed to write file" })).toBe(true);
  expect(judge({ exitCode: 128 + 31 })).toBe(true);
  expect(judge({ exitCode: 128 + 31, sandbox: "seatbelt" })).toBe(false);
  expect(judge({ exitCode: 0, stderr: "permission denied" })).toBe(false);
  expect(judge({ sandbox: "none", stderr: "permission denied" })).toBe(false);
});
