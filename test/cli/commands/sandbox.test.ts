import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { parseSandboxArguments } from "../../../src/cli/commands/sandbox-arguments.js";
import { bubblewrapWorks } from "../../sandbox/support/confined.js";
import { bundleProgram } from "../../support/bundle-program.js";

test("the first word that is no option starts the command", () => {
  const parsed = [
    ["--", "ls", "--full-auto"],
    ["--full-auto", "-c", "a=1", "--config", "b=2", "--config=c=3", "--", "-x"],
    ["ls", "-c", "x=y", "--", "z"],
  ].map(parseSandboxArguments);

  expect(parsed).toEqual([
    { fullAuto: false, overrides: [], argv: ["ls", "--full-auto"] },
    { fullAuto: true, overrides: ["a=1", "b=2", "c=3"], argv: ["-x"] },
    { fullAuto: false, overrides: [], argv: ["ls", "-c", "x=y", "--", "z"] },
  ]);
});

test("a wrong command line is reported", () => {
  const problems = [[], ["--"], ["-c"], ["-c", "x", "--", "y"], ["--wat", "--", "y"]];

  expect(problems.map(parseSandboxArguments)).toEqual([
    "Missing command to run",
    "Missing command to run",
    "Expected -c KEY=VALUE",
    "Expected -c KEY=VALUE",
    "Unknown option --wat; put options of the command after --",
  ]);
});

describe.runIf(bubblewrapWorks)("the program", () => {
  let program = "";
  let folder = "";

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "quire-cli-"));
    const entry = join(import.meta.dirname, "../support/sandbox-program.ts");
    program = await bundleProgram(entry, folder);
  });

  afterAll(() => rmSync(folder, { recursive: true }));

  test("runs a command confined, on our streams, and passes on its exit code", async () => {
    const workspace = makeWorkspace();

    const ended = await run(workspace, "--", "/bin/sh", "-c", "cat; touch x || exit 7");

    expect(ended).toEqual({
      code: 7,
      stdout: "typed",
      stderr: expect.stringContaining("Read-only file system"),
    });
    expect(readdirSync(workspace)).toEqual([]);
  });

  test("lets the workspace be written with --full-auto", async () => {
    const workspace = makeWorkspace();

    const ended = await run(workspace, "--full-auto", "touch", "x", "../y");

    expect(ended.code).toBe(1);
    expect([readdirSync(workspace), readdirSync(join(workspace, ".."))]).toEqual([
      ["x"],
      ["agent", "ws"],
    ]);
  });

  test("takes words of the command for what they are", async () => {
    const words = [
      "--full-auto",
      "-c",
      'sandbox_mode="danger-full-access"',
      "--bind",
      "/",
      "/",
      "--",
    ];

    const ended = await run(makeWorkspace(), "/bin/echo", ...words, "MARK");

    expect(ended).toEqual({ code: 0, stdout: `${words.join(" ")} MARK\n`, stderr: "" });
  });

  test("warns when there is no sandbox", async () => {
    const setting = 'sandbox_mode="danger-full-access"';

    const ended = await run(makeWorkspace(), "-c", setting, "--", "touch", "x");

    expect(ended).toEqual({
      code: 0,
      stdout: "",
      stderr: "quire sandbox: warning: no sandbox in mode danger-full-access\n",
    });
  });

  test.each([
    [
      ["--"],
      2,
      "Missing command to run\nUsage: quire sandbox [--full-auto] [-c KEY=VALUE]… -- CMD…",
    ],
    [["no-such-program"], 127, "no-such-program: no such program"],
    [["/etc/passwd"], 126, "/etc/passwd: not executable"],
  ])("%j ends with code %i", async (args, code, message) => {
    const ended = await run(makeWorkspace(), ...args);

    expect(ended).toEqual({ code, stdout: "", stderr: `quire sandbox: ${message}\n` });
  });

  function run(cwd: string, ...args: string[]) {
    return new Promise<{ code: number | null; stdout: string; stderr: string }>((resolve) => {
      const child = execFile(
        process.execPath,
        [program, ...args],
        { cwd, env: { PATH: "/usr/bin:/bin", AGENT_HOME: join(cwd, "../agent"), HOME: cwd } },
        (_, stdout, stderr) => resolve({ code: child.exitCode, stdout, stderr }),
      );
      child.stdin?.end("typed");
    });
  }

  function makeWorkspace(): string {
    const base = mkdtempSync(join(tmpdir(), "quire-cli-ws-"));
    onTestFinished(() => rmSync(base, { recursive: true }));
    mkdirSync(join(base, "ws"));
    mkdirSync(join(base, "agent"));
    return join(base, "ws");
  }
});
