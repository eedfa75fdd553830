import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { runSandbox } from "../../../src/cli/commands/sandbox.js";
import {
  parseSandboxArguments,
  type SandboxRequest,
} from "../../../src/cli/commands/sandbox-arguments.js";
import { createInProcessUser, createIo } from "../support/in-process.js";

const plain = { fullAuto: false, overrides: [], argv: ["ls"] };

describe("arguments of quire sandbox", () => {
  test.each([
    [["-C", "dir", "ls"], { ...plain, cd: "dir" }],
    [["--cd", "dir", "--", "ls"], { ...plain, cd: "dir" }],
    [["--cd=dir", "ls"], { ...plain, cd: "dir" }],
    [["-p", "work", "ls"], { ...plain, overrides: ['profile="work"'] }],
    [["--profile", "work", "ls"], { ...plain, overrides: ['profile="work"'] }],
    [["--profile=a b", "ls"], { ...plain, overrides: ['profile="a b"'] }],
    [["-P", "safe", "ls"], { ...plain, overrides: ['default_permissions="safe"'] }],
    [["--permission-profile=a b", "ls"], { ...plain, overrides: ['default_permissions="a b"'] }],
    [["--permissions", "safe", "ls"], { ...plain, overrides: ['default_permissions="safe"'] }],
    [["linux", "--", "ls"], plain],
    [["macos", "--full-auto", "ls"], { ...plain, fullAuto: true }],
    [["linux"], { ...plain, argv: ["linux"] }],
    [["ls", "-C", "x"], { ...plain, argv: ["ls", "-C", "x"] }],
  ])("%j", (args, request) => {
    expect(parseSandboxArguments(args)).toEqual(request);
  });

  test.each([
    [["-C"], "Missing value for -C"],
    [["--cd="], "Missing value for --cd="],
    [["--profile"], "Missing value for --profile"],
    [["--profile", "p"], "Missing command to run"],
    [["-P"], "Missing value for -P"],
    [["--permission-profile=", "ls"], "Missing value for --permission-profile="],
  ])("%j are rejected", (args, message) => {
    expect(parseSandboxArguments(args)).toContain(message);
  });
});

describe("quire sandbox", () => {
  /** Runs with a config that is recorded and refuses to continue. */
  async function run(args: string[], cwd: string) {
    const { io, written } = createIo({ cwd }, { PATH: "/usr/bin:/bin" });
    const seen: { request: SandboxRequest; cwd: string }[] = [];
    const code = await runSandbox(args, io, async (request, { cwd: at }) => {
      seen.push({ request, cwd: at });
      throw new Error("stop");
    }).catch(() => -1);
    return { code, seen, stderr: written.stderr };
  }

  test("resolves the config in the directory of --cd", async () => {
    using user = createInProcessUser();
    mkdirSync(join(user.project, "sub"));
    const { seen } = await run(["--cd", "sub", "-p", "work", "--", "ls"], user.project);

    expect(seen).toEqual([
      {
        request: { fullAuto: false, overrides: ['profile="work"'], argv: ["ls"] },
        cwd: join(user.project, "sub"),
      },
    ]);
  });

  test.each([["none"], ["file"]])("rejects --cd %s", async (name) => {
    using user = createInProcessUser();
    user.write("project/file", "");

    expect(await run(["-C", name, "ls"], user.project)).toEqual({
      code: 2,
      seen: [],
      stderr: `quire sandbox: --cd: no such directory: ${join(user.project, name)}\n`,
    });
  });

  test("with a profile that does not exist is a config error", async () => {
    using user = createInProcessUser();
    const { code, stderr } = await user.run(["sandbox", "--profile", "none", "--", "true"]);

    expect(code).toBe(3);
    expect(stderr).toContain("config profile `none` not found");
  });

  test.each([
    [[], "Missing command to run"],
    [["--wat", "ls"], "Unknown option --wat; put options of the command after --"],
    [["-c", "novalue", "ls"], "Expected -c KEY=VALUE"],
  ])("rejects %j with its usage", async (args, message) => {
    using user = createInProcessUser();
    const { code, stderr } = await user.run(["sandbox", ...args]);

    expect(code).toBe(2);
    expect(stderr).toContain(`quire sandbox: ${message}`);
    expect(stderr).toContain("Usage: quire sandbox [--full-auto] [-c KEY=VALUE]… -- CMD…");
  });
});
