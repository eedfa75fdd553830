import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { defineCommand } from "../../../src/cli/command.js";
import { type ExecValues, execOptions } from "../../../src/cli/exec/exec-options.js";
import { toExecRequest } from "../../../src/cli/exec/exec-request.js";
import { parseCommand } from "../../../src/cli/parse.js";
import { createInProcessUser, createIo } from "../support/in-process.js";

const user = createInProcessUser();
afterAll(() => user[Symbol.dispose]());
user.write("project/.git/HEAD", "ref: refs/heads/main\n");
user.write("project/schema.json", '{"type":"object"}');
user.write("project/broken.json", "{");

const command = defineCommand({
  name: "exec",
  summary: "Run",
  operands: "[PROMPT]",
  options: execOptions,
  run: async () => 0,
});

/** Resolves the options of `exec` in a directory. */
function request(args: string[], cwd = user.project) {
  const { values } = parseCommand(command, args);
  const { io } = createIo({ cwd }, { HOME: user.home, CODEX_HOME: user.home });
  return toExecRequest(values as unknown as ExecValues, io);
}

describe("the options of exec", () => {
  test("without any have defaults", async () => {
    expect(await request([])).toEqual({
      thread: { cwd: user.project, config: {}, approvalPolicy: "never" },
      images: [],
      remote: undefined,
      ephemeral: false,
      outputSchema: undefined,
      lastMessageFile: undefined,
      json: false,
      color: "auto",
      ignoresUserConfig: false,
      bypassesHookTrust: false,
    });
  });

  test.each([
    [
      ["-c", "approvals_reviewer=auto_review"],
      { thread: { cwd: user.project, config: { approvals_reviewer: "auto_review" } } },
    ],
    [["--json"], { json: true }],
    [["--experimental-json"], { json: true }],
    [["--ephemeral"], { ephemeral: true }],
    [["--color", "never"], { color: "never" }],
    [["--max-turns", "3"], { thread: { config: { "budget.session.turns": 3 } } }],
    [["--max-seconds", "1.5"], { thread: { config: { "budget.session.seconds": 1.5 } } }],
    [["--max-tokens", "1e3"], { thread: { config: { "budget.session.tokens": 1000 } } }],
    [["-o", "last.txt"], { lastMessageFile: join(user.project, "last.txt") }],
    [["--output-schema", "schema.json"], { outputSchema: { type: "object" } }],
    [["--ignore-user-config"], { ignoresUserConfig: true }],
    [["--ignore-rules"], { thread: { config: { "features.exec_policy": false } } }],
    [["--thread-source", "ci"], { thread: { threadSource: "ci" } }],
    [["-a", "on-request"], { thread: { approvalPolicy: "on-request" } }],
    [["--full-auto"], { thread: { sandbox: "workspace-write" } }],
    [["--yolo"], { thread: { approvalPolicy: "never", sandbox: "danger-full-access" } }],
    [["-p", "work"], { thread: { config: { profile: "work" } } }],
  ])("%j", async (args, part) => {
    expect(await request(args)).toMatchObject(part);
  });

  test("leave the approval policy to -c", async () => {
    const { thread } = await request(["-c", "approval_policy=on-request"]);

    expect(thread.approvalPolicy).toBeUndefined();
  });

  test.each([
    [["--max-turns", "0"], 'Expected --max-turns to be a positive number (got "0")'],
    [["--max-turns", "1.5"], 'Expected --max-turns to be a positive number (got "1.5")'],
    [["--max-tokens", "many"], 'Expected --max-tokens to be a positive number (got "many")'],
    [["--max-seconds", " "], 'Expected --max-seconds to be a positive number (got " ")'],
    [["--cyber-access-program", "x"], "--cyber-access-program is not supported"],
    [
      ["--remote", "ws://h:1", "--ignore-user-config"],
      "`--ignore-user-config` and `--remote` cannot be used together",
    ],
    [["--output-schema", "broken.json"], "--output-schema: cannot read"],
    [["--output-schema", "none.json"], "--output-schema: cannot read"],
    [["-o", "."], "--output-last-message: "],
    [["-o", "none/last.txt"], "--output-last-message: cannot write to directory"],
    [["-C", "none"], "Expected --cd to be a directory"],
    [["--yolo", "--full-auto"], "`--full-auto` cannot be used together"],
  ])("%j are rejected", async (args, message) => {
    await expect(request(args)).rejects.toThrow(message);
  });

  test("outside of a repository need --skip-git-repo-check or trust", async () => {
    const message = "Not inside a trusted directory and --skip-git-repo-check was not specified.";

    await expect(request([], user.home)).rejects.toThrow(message);
    await expect(request(["--skip-git-repo-check"], user.home)).resolves.toBeDefined();
    await expect(request(["--yolo"], user.home)).resolves.toBeDefined();
    await expect(request(["--remote", "ws://h:1"], user.home)).resolves.toBeDefined();
  });
});
