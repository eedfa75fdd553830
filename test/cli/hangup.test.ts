import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { untilGone } from "../support/processes.js";
import { type Program, startProgram } from "../support/program.js";

const script = "echo $$ > pid; sleep 600";
const clientInfo = { name: "test", version: "1" };

test.runIf(process.platform !== "win32").each([
  {
    args: ["exec", "--json", "--skip-git-repo-check", "go"],
    begin: (program: Program) => void program.child.stdin.end(),
  },
  {
    args: ["proto"],
    begin(program: Program) {
      const items = [{ type: "text", text: "go" }];
      program.send({ id: "1", op: { type: "user_input", items } });
    },
  },
  {
    args: ["app-server"],
    begin(program: Program) {
      program.send({ id: 0, method: "initialize", params: { clientInfo } });
      const sandboxPolicy = { type: "dangerFullAccess" };
      const params = { command: ["sh", "-c", script], disableTimeout: true, processId: "p" };
      program.send({ id: 1, method: "command/exec", params: { ...params, sandboxPolicy } });
    },
  },
  {
    args: ["mcp-server"],
    begin(program: Program) {
      const hello = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo };
      program.send({ jsonrpc: "2.0", id: 0, method: "initialize", params: hello });
      const params = { name: "codex", arguments: { prompt: "go" } };
      program.send({ jsonrpc: "2.0", id: 1, method: "tools/call", params });
    },
  },
])("[security H12] a hangup ends $args and the commands that it runs", async ({ args, begin }) => {
  await using program = await startProgram({
    args,
    model: [[{ call: "shell", args: { command: ["sh", "-c", script] }, call_id: "c" }]],
  });
  begin(program);
  const file = join(program.workspace, "pid");
  await expect
    .poll(() => (existsSync(file) ? readFileSync(file, "utf8") : ""), wait)
    .toMatch(/\d\n/);
  const command = Number(readFileSync(file, "utf8"));

  program.child.kill("SIGHUP");
  await program.exit;

  await untilGone([command]);
});

const wait = { timeout: 20_000 };
