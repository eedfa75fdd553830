import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import {
  type BubblewrapPlan,
  bubblewrapOptions,
  optionBytes,
} from "../../src/sandbox/bubblewrap.js";
import { openBubblewrapCall } from "../../src/sandbox/bubblewrap-call.js";
import { parseStatus, reportOf } from "../../src/sandbox/bubblewrap-launch.js";
import { seccompProgram } from "../../src/sandbox/seccomp.js";
import { syscallTables } from "../../src/sandbox/syscalls.js";
import { bubblewrapWorks } from "./support/confined.js";

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
  expect(() => optionBytes(Array.from({ length: 8001 }, () => "x"))).toThrow(
    "too many writable roots",
  );
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
    { ran: false, cause: "sandbox", reason: "bubblewrap exited without an error message" },
    { ran: true },
  ]);
});

test.runIf(bubblewrapWorks)("roots are bound by name where descriptors cannot be given", () => {
  const base = mkdtempSync(join(tmpdir(), "quire-byname-"));
  onTestFinished(() => rmSync(base, { recursive: true }));
  for (const name of ["ws", "outside"]) mkdirSync(join(base, name));
  const table = syscallTables.get(process.arch);
  if (table === undefined) return;
  const call = openBubblewrapCall({
    plan: {
      ...readOnly,
      mounts: [{ as: "write", path: join(base, "ws") }],
      cwd: base,
      env: { PATH: "/usr/bin:/bin" },
    },
    argv: ["touch", "ws/in", "outside/out"],
    filter: seccompProgram(table, { network: false }),
    bindsDescriptors: false,
    dataDirectories: ["/dev/shm", tmpdir()],
  });

  const { status } = spawnSync("/usr/bin/bwrap", call.args, {
    stdio: ["ignore", "ignore", "ignore", ...call.descriptors],
  });

  expect([status, parseStatus(call.readStatus()).exitCode]).toEqual([1, 1]);
  expect([readdirSync(join(base, "ws")), readdirSync(join(base, "outside"))]).toEqual([["in"], []]);
});

function oneALine(options: readonly string[]): string {
  return options.join(" ").replaceAll(" --", "\n--");
}
