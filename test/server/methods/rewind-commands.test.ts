import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { full, gone, rewind, write } from "./rewind-support.js";
import { talk } from "./support.js";
import { begin, startAppServer } from "./thread.js";

/** Starts a command that the model polls until it ends; it waits for the file `start`. */
const slow = [
  "while [ ! -e start ]; do sleep 0.02; done",
  "sleep 0.3",
  "echo new > a.txt",
  "echo b > b.txt",
].join("; ");

test("files that a command changes after its call has returned belong to the turn", async () => {
  const model = [
    [{ call: "exec_command", args: { cmd: slow, yield_time_ms: 250 }, call_id: "c1" }],
    [{ call: "exec_command", args: { cmd: "touch start" }, call_id: "c2" }],
    [
      {
        call: "write_stdin",
        args: { session_id: 1000, chars: "", yield_time_ms: 20_000 },
        call_id: "c3",
      },
    ],
    [{ message: "done" }],
  ];
  await using server = await startAppServer({
    model,
    config: { features: { unified_exec: true } },
  });
  const { workspace: cwd } = server;
  await write(cwd, { "a.txt": "old\n" });
  const client = server.connect();
  const threadId = await begin(client, { cwd, ...full });
  const turnId = await talk(client, threadId, "go");
  expect(await readFile(join(cwd, "a.txt"), "utf8")).toBe("new\n");

  await rewind(client, { threadId, turnId, what: "files" });

  expect(await readFile(join(cwd, "a.txt"), "utf8")).toBe("old\n");
  expect(await gone(join(cwd, "b.txt"))).toBe(true);
  expect(await gone(join(cwd, "start"))).toBe(true);
});
