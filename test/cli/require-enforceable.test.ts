import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { startTerminal } from "../support/terminal.js";
import { createUser } from "./support/run-quire.js";

const hooks = '{"hooks":{"PreToolUse":[{"hooks":[{"type":"command","command":"exit 2"}]}]}}';
const reason = "hooks do not run here yet";

describe("[clients section 5] a setting that forbids and is not enforced", () => {
  test.each([
    [["exec", "--skip-git-repo-check", "hi"]],
    [["proto"]],
    [["mcp-server"]],
    [["sandbox", "linux", "true"]],
  ])("keeps `quire %j` from starting", async (args) => {
    using user = createUser();
    writeFileSync(join(user.home, "hooks.json"), hooks);

    const { code, stdout, stderr } = await user.run(args);

    expect({ code, stdout }).toEqual({ code: 3, stdout: "" });
    expect(stderr).toContain(`${join(user.home, "hooks.json")}: \`hooks\`: ${reason}`);
    expect(stderr).toContain("Remove them, or set `features.hooks = false`");
  });

  test("keeps the app-server from starting threads and commands, not from starting", async () => {
    using user = createUser();
    writeFileSync(join(user.home, "hooks.json"), hooks);
    const requests = [
      { id: 1, method: "initialize", params: { clientInfo: { name: "t", version: "1" } } },
      { id: 2, method: "thread/start", params: {} },
      { id: 3, method: "command/exec", params: { command: ["true"] } },
      { id: 4, method: "newConversation", params: {} },
    ];

    const { stdout } = await user.run(["app-server"], {
      input: requests.map((one) => `${JSON.stringify(one)}\n`).join(""),
    });

    const answers = stdout
      .split("\n")
      .filter((line) => line.includes('"error"'))
      .map((line) => JSON.parse(line) as { id: number; error: { message: string } });
    expect(answers.map(({ id }) => id).sort()).toEqual([2, 3, 4]);
    for (const { error } of answers) expect(error.message).toContain(reason);
  });

  test("keeps the terminal UI from starting", async () => {
    await using terminal = await startTerminal({ config: 'default_permissions = "tight"' });

    const screen = await terminal.until("ended with");

    expect(screen).toContain("ended with 3");
  });

  test("is read from /etc/codex, whatever the environment says", async () => {
    using user = createUser();
    const etc = mkdtempSync(join(tmpdir(), "quire-etc-"));
    mkdirSync(join(etc, "codex"));
    writeFileSync(
      join(etc, "codex/requirements.toml"),
      'allowed_approval_policies = ["untrusted"]\n',
    );
    const bin = resolve(import.meta.dirname, "../../bin/quire.js");
    const env = { PATH: process.env.PATH, HOME: user.home, CODEX_HOME: user.home };
    const args = ["--dev-bind", "/", "/", "--bind", etc, "/etc", process.execPath, bin, "proto"];

    const ran = await promisify(execFile)("bwrap", args, { env, cwd: user.project }).catch(
      (error: { code: number; stderr: string }) => error,
    );
    rmSync(etc, { recursive: true });

    expect(ran).toMatchObject({
      code: 3,
      stderr: expect.stringContaining(
        "/etc/codex/requirements.toml:1: `allowed_approval_policies`",
      ),
    });
  });
});
