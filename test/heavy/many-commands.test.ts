import { mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { startProgram } from "../support/program.js";

test("[security placeholders] 300 confined commands at once all complete, without a warning", async () => {
  await using server = await startProgram({ args: ["app-server"] });
  const clientInfo = { name: "test", version: "1" };
  server.send({ id: "hello", method: "initialize", params: { clientInfo } });
  await server.until<Reply>(({ id }) => id === "hello");

  for (let id = 0; id < 300; id++) {
    // Each has a separate folder, and with it separate placeholders.
    const cwd = join(server.workspace, String(id));
    mkdirSync(cwd);
    const params = {
      command: ["sh", "-c", `test ! -w .git && echo ${id}`],
      cwd,
      processId: String(id),
      streamStdin: true,
      sandboxPolicy: { type: "workspaceWrite" },
      timeoutMs: 100_000,
    };
    server.send({ id, method: "command/exec", params });
  }
  const replies = await Promise.all(
    Array.from({ length: 300 }, (_, wanted) => server.until<Reply>(({ id }) => id === wanted)),
  );

  expect(replies.filter(({ id, result }) => result?.stdout !== `${id}\n`)).toEqual([]);
  expect(server.stderr()).toBe("");
  const left = readdirSync(server.workspace).flatMap((cwd) =>
    readdirSync(join(server.workspace, cwd)),
  );
  expect(left).toEqual([]);
}, 120_000);

test("[security placeholders] 300 calls of one turn at once cause no warning about listeners", async () => {
  const calls = Array.from({ length: 300 }, (_, n) => ({
    call: "shell",
    args: { command: ["echo", String(n)] },
    call_id: `c${n}`,
  }));
  await using program = await startProgram({
    args: ["exec", "--json", "--skip-git-repo-check", "--sandbox", "workspace-write", "go"],
    model: [calls, [{ message: "done" }]],
  });
  program.child.stdin.end();

  const { code } = await program.exit;

  const ends = (program.lines as Line[]).filter(({ type }) => type === "item.completed");
  const commands = ends.filter(({ item }) => item?.type === "command_execution");
  expect(commands.filter(({ item }) => item?.exit_code !== 0)).toEqual([]);
  expect([code, commands.length]).toEqual([0, 300]);
  expect(program.stderr()).not.toContain("Warning");
}, 120_000);

interface Reply {
  id?: number | string;
  result?: { stdout: string };
}

interface Line {
  type: string;
  item?: { type: string; exit_code?: number };
}
