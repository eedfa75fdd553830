import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { type CommandResult, runCommand } from "../../src/exec/index.js";
import { prepare, prepareShell, runs, temporaryFolder, until } from "./support/launch.js";

/** The fields that are the same in every run. */
function facts({ durationMs, ...rest }: CommandResult) {
  expect(durationMs).toBeGreaterThanOrEqual(0);
  return rest;
}

const finished = {
  exitCode: 0,
  stdout: "",
  stderr: "",
  aggregated: "",
  timedOut: false,
  interrupted: false,
  sandbox: "none",
} as const;

test("output is kept by stream and in the order of arrival", async () => {
  const launch = await prepareShell("echo o1; sleep .05; echo e1 >&2; sleep .05; echo o2; exit 3");

  const result = await runCommand({ launch });

  expect(facts(result)).toEqual({
    ...finished,
    exitCode: 3,
    stdout: "o1\no2\n",
    stderr: "e1\n",
    aggregated: "o1\ne1\no2\n",
  });
});

test("a program that is not there did not start", async () => {
  const result = await runCommand({ launch: await prepare(["no-such-program-xyz"]) });

  const message = "No such file or directory (os error 2)";
  expect(facts(result)).toEqual({
    ...finished,
    exitCode: -1,
    stderr: message,
    aggregated: message,
    failure: {
      kind: "start",
      message: "No such file or directory",
      errno: 2,
      errorKind: "NotFound",
    },
  });
});

test.each([
  ["a directory that is not there", { cwd: "/no/such" }, "No such file or directory (os error 2)"],
  ["a file in place of a directory", { cwd: "/etc/passwd" }, "Not a directory (os error 20)"],
])("%s cannot be started in", async (_, options, message) => {
  const result = await runCommand({ launch: await prepare(["ls"], options) });

  expect(result).toMatchObject({ exitCode: -1, stderr: message });
});

test.each([
  [[], "command args are empty"],
  [["/etc/passwd"], "Permission denied (os error 13)"],
  [["echo", "a\0b"], "nul byte found in provided data"],
  [["echo", "x".repeat(3_000_000)], "Argument list too long (os error 7)"],
])("what cannot be started is a result: %#", async (argv, message) => {
  const result = await runCommand({ launch: await prepare(argv) });

  expect(result).toMatchObject({ exitCode: -1, stdout: "", stderr: message });
});

test("a death by a signal is a failure that keeps the output", async () => {
  const result = await runCommand({ launch: await prepareShell("echo last; kill -9 $$") });

  expect(facts(result)).toEqual({
    ...finished,
    exitCode: -1,
    stdout: "last\n",
    aggregated: "last\n",
    failure: { kind: "signal", signal: "SIGKILL", number: 9 },
  });
});

test("standard input is empty", async () => {
  const result = await runCommand({ launch: await prepareShell("cat; read x || echo end") });

  expect(result.stdout).toBe("end\n");
});

test("a time-out ends the command with code 124 and keeps its output", async () => {
  const result = await runCommand({
    launch: await prepareShell("echo before; sleep 30"),
    timeoutMs: 300,
  });

  expect(facts(result)).toEqual({
    ...finished,
    exitCode: 124,
    stdout: "before\n",
    aggregated: "before\n",
    timedOut: true,
  });
  expect(result.durationMs).toBeLessThan(5_000);
});

test("the caller's signal ends the command", async () => {
  const controller = new AbortController();
  const launch = await prepareShell("echo started; sleep 30");

  const result = await runCommand(
    { launch, onOutput: () => controller.abort() },
    controller.signal,
  );

  expect(facts(result)).toEqual({
    ...finished,
    exitCode: -1,
    stdout: "started\n",
    aggregated: "started\n",
    interrupted: true,
  });
});

test("a signal given before means that nothing is started", async () => {
  const folder = temporaryFolder();

  const result = await runCommand(
    { launch: await prepareShell("touch made", { cwd: folder }) },
    AbortSignal.abort(),
  );

  expect([result.interrupted, existsSync(join(folder, "made"))]).toEqual([true, false]);
});

describe.runIf(process.platform === "linux")("the whole tree ends", () => {
  const stubborn = "trap '' TERM INT HUP; echo $$ >> pids; while :; do sleep 0.1; done";
  const trees: Record<string, string> = {
    "when its members ignore being asked": `sh -c "${stubborn}" & ${stubborn}`,
    "when a member has left the session": `setsid sh -c "${stubborn}" & sleep 30`,
    "when a member is a daemon": `(setsid sh -c "${stubborn}" </dev/null >/dev/null 2>&1 &) ; sleep 30`,
  };

  test.each(Object.entries(trees))("after a time-out, %s", async (_, script) => {
    const cwd = temporaryFolder();
    const pids = () => readPids(cwd);

    const result = await runCommand({
      launch: await prepareShell(script, { cwd }),
      timeoutMs: 400,
      graceMs: 100,
    });

    expect(result).toMatchObject({ exitCode: 124, timedOut: true });
    expect(pids().length).toBeGreaterThan(0);
    expect(pids().filter(runs)).toEqual([]);
  });

  test("after an interrupt", async () => {
    const cwd = temporaryFolder();
    const controller = new AbortController();
    const running = runCommand(
      {
        launch: await prepareShell(`setsid sh -c "${stubborn}" & sleep 30`, { cwd }),
        graceMs: 100,
      },
      controller.signal,
    );
    await until(() => readPids(cwd).length > 0);

    controller.abort();

    expect(await running).toMatchObject({ interrupted: true });
    expect(readPids(cwd).filter(runs)).toEqual([]);
  });

  test("after its own end, and processes it left behind do not delay the result", async () => {
    const cwd = temporaryFolder();
    const script = `setsid sh -c "${stubborn}" & until [ -s pids ]; do sleep 0.01; done; echo done`;

    const result = await runCommand({ launch: await prepareShell(script, { cwd }), graceMs: 100 });

    expect(result).toMatchObject({ exitCode: 0, stdout: "done\n" });
    expect(result.durationMs).toBeLessThan(3_000);
    expect(readPids(cwd).filter(runs)).toEqual([]);
  });

  test("and a process asked to end may still clean up", async () => {
    const cwd = temporaryFolder();
    const controller = new AbortController();
    const script = "trap 'touch cleaned; exit' TERM; sleep 30 & echo ready; wait";

    await runCommand(
      { launch: await prepareShell(script, { cwd }), onOutput: () => controller.abort() },
      controller.signal,
    );

    expect(existsSync(join(cwd, "cleaned"))).toBe(true);
  });

  function readPids(folder: string): number[] {
    const file = join(folder, "pids");
    if (!existsSync(file)) return [];
    return readFileSync(file, "utf8").trim().split("\n").map(Number);
  }
});

test("a command that closed its output but still runs is waited for", async () => {
  const result = await runCommand({
    launch: await prepareShell("exec >&- 2>&-; sleep 0.2; exit 5"),
  });

  expect(result).toMatchObject({ exitCode: 5, stdout: "" });
});

test("output of a grandchild soon after the end is still read", async () => {
  const result = await runCommand({
    launch: await prepareShell("(sleep 0.05; echo late) & echo early"),
  });

  expect(result.stdout).toBe("early\nlate\n");
});

test("forty commands at once leave no zombies", async () => {
  const launches = await Promise.all(Array.from({ length: 40 }, () => prepare(["true"])));

  const results = await Promise.all(launches.map((launch) => runCommand({ launch })));

  expect(results.map(({ exitCode }) => exitCode)).toEqual(results.map(() => 0));
  if (process.platform === "linux") {
    const children = readFileSync(`/proc/self/task/${process.pid}/children`, "utf8");
    expect(children.split(" ").filter((pid) => pid !== "" && isZombie(pid))).toEqual([]);
  }
});

test("output is passed on in pieces of at most 8 KiB, as it comes", async () => {
  const pieces: [string, number][] = [];

  await runCommand({
    launch: await prepareShell("head -c 20000 /dev/zero; head -c 10 /dev/zero >&2"),
    onOutput: (stream, chunk) => pieces.push([stream, chunk.length]),
  });

  const sum = (wanted: string) =>
    pieces.filter(([stream]) => stream === wanted).reduce((total, [, size]) => total + size, 0);
  expect([sum("stdout"), sum("stderr")]).toEqual([20_000, 10]);
  expect(Math.max(...pieces.map(([, size]) => size))).toBeLessThanOrEqual(8192);
});

test("300 MB of output pass by; the beginning and the end are kept", async () => {
  const before = process.memoryUsage().rss;
  let pieces = 0;

  const result = await runCommand({
    launch: await prepareShell("echo first; yes | head -c 300000000; echo last"),
    timeoutMs: 60_000,
    onOutput: () => pieces++,
  });

  expect(pieces).toBe(10_000);
  expect(result.stdout.length).toBeLessThan(17_000_000);
  expect(result.stdout.startsWith("first\ny\n")).toBe(true);
  expect(result.stdout.endsWith("y\nlast\n")).toBe(true);
  expect(result.stdout).toContain("bytes omitted ...]");
  expect(process.memoryUsage().rss - before).toBeLessThan(300_000_000);
});

function isZombie(pid: string): boolean {
  try {
    return readFileSync(`/proc/${pid}/stat`, "utf8").includes(") Z ");
  } catch {
    return false;
  }
}
