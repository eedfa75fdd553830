import { expect, test } from "vitest";
import {
  type BubblewrapPlan,
  bubblewrapOptions,
  optionBytes,
} from "../../src/sandbox/bubblewrap.js";
import { parseStatus, reportOf } from "../../src/sandbox/bubblewrap-report.js";

const readOnly: BubblewrapPlan = {
  mounts: [],
  network: false,
  cwd: "/home/me/project",
  env: { PATH: "/usr/bin" },
  newSession: true,
  freshProc: true,
};

const plans: Record<string, BubblewrapPlan> = {
  "read-only": readOnly,
  "workspace-write": {
    ...readOnly,
    mounts: [
      { as: "empty", path: "/tmp/.git" },
      { as: "read", path: "/home/me/project/sub/.git" },
      { as: "write", path: "/home/me/project/sub", descriptor: 8 },
      { as: "read", path: "/home/me/project/.git" },
      { as: "write", path: "/tmp", descriptor: 7 },
      { as: "write", path: "/home/me/project", descriptor: 6 },
      { as: "empty", path: "/home/me/project/.codex" },
    ],
  },
  "workspace-write with network": {
    ...readOnly,
    network: true,
    mounts: [{ as: "write", path: "/home/me/project" }],
  },
  "a terminal where no new proc can be mounted": {
    ...readOnly,
    newSession: false,
    freshProc: false,
  },
};

test.each(Object.keys(plans))("the options for %s are these", async (name) => {
  const options = bubblewrapOptions(plans[name] ?? readOnly);

  await expect(`${oneALine(options)}\n`).toMatchFileSnapshot(
    `golden/bubblewrap-${name.replaceAll(" ", "-")}.txt`,
  );
});

test("options are given as bytes that end with a zero each", () => {
  expect(optionBytes(["--chdir", "/ü"])).toEqual(Buffer.from("--chdir\0/ü\0"));
});

test("an option with a zero in it, or too many of them, are errors", () => {
  expect(() => optionBytes(["a\0b"])).toThrow("contains a NUL character");
  expect(() => optionBytes(Array.from({ length: 8001 }, () => "x"))).toThrow("more writable roots");
});

test("only a reported exit code means that the command ran", () => {
  const started = '{ "child-pid": 7, "net-namespace": 4 }\n';
  const cases: [status: string, stderr: string][] = [
    [`${started}{ "exit-code": 3 }\n`, "bwrap: looks like ours\n"],
    [started, "bwrap: execvp nope: No such file or directory\n"],
    [started, "bwrap: execvp a: b: Permission denied\r\n"],
    [started, "bwrap: Can't find source path /x: No such file or directory\n"],
    ["", "bwrap: setting up uid map: Permission denied\n"],
    ["", ""],
    [started, "killed before it could report"],
  ];

  expect(cases.map(([status, stderr]) => reportOf(parseStatus(status), stderr))).toEqual([
    { ran: true },
    { ran: false, cause: "command", reason: "No such file or directory" },
    { ran: false, cause: "command", reason: "Permission denied" },
    {
      ran: false,
      cause: "sandbox",
      reason: "Can't find source path /x: No such file or directory",
    },
    { ran: false, cause: "sandbox", reason: "setting up uid map: Permission denied" },
    { ran: false, cause: "sandbox", reason: "bubblewrap ended without a word" },
    { ran: true },
  ]);
});

function oneALine(options: readonly string[]): string {
  return options.join(" ").replaceAll(" --", "\n--");
}
