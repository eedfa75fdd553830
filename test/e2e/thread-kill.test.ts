import { expect, test } from "vitest";
import { calls, says } from "../support/model.js";
import { untilGone } from "../support/processes.js";
import { type Program, startProgram } from "../support/program.js";

interface Wire {
  id?: number;
  method?: string;
  params?: { turn?: { status: string }; item?: { type: string } };
  result?: { thread: { id: string; turns: { status: string; items: { text?: string }[] }[] } };
}

let asked = 0;

async function ask(program: Program, method: string, params: object): Promise<Wire["result"]> {
  const id = ++asked;
  program.send({ id, method, params });
  return (await program.until<Wire>((line) => line.id === id && line.method === undefined)).result;
}

async function initialized(program: Program): Promise<Program> {
  await ask(program, "initialize", { clientInfo: { name: "test", version: "1" } });
  return program;
}

const input = (text: string) => [{ type: "text", text }];

test("a thread whose server was killed during a turn resumes in another, with everything that was reported", async () => {
  await using first = await startProgram({
    args: ["app-server"],
    model: [says("One."), [{ message: "Half an answer" }, { hang: true }], says("Three.")],
  });
  await initialized(first);
  const started = await ask(first, "thread/start", {});
  const threadId = started?.thread.id ?? "";
  await ask(first, "turn/start", { threadId, input: input("first") });
  await first.until<Wire>(({ method }) => method === "turn/completed");
  const received = first.lines.length;
  await ask(first, "turn/start", { threadId, input: input("second") });
  await first.until<Wire>(({ method }) => method === "item/agentMessage/delta", received);
  first.child.kill("SIGKILL");
  await first.exit;

  await using second = await startProgram({
    args: ["app-server"],
    env: { CODEX_HOME: first.home },
  });
  await initialized(second);
  const resumed = await ask(second, "thread/resume", { threadId });
  await ask(second, "turn/start", { threadId, input: input("third") });
  const end = await second.until<Wire>(({ method }) => method === "turn/completed");
  const read = await ask(second, "thread/read", { threadId, includeTurns: true });

  expect(resumed?.thread.turns.map(({ status }) => status)).toEqual(["completed", "interrupted"]);
  expect(end.params?.turn?.status).toBe("completed");
  expect(read?.thread.turns.map(({ status }) => status)).toEqual([
    "completed",
    "interrupted",
    "completed",
  ]);
  expect(read?.thread.turns[2]?.items.at(-1)?.text).toBe("Three.");
});

/** In a separate session; it prints its process number, as does its parent. */
const away = "setsid sh -c 'echo $$; exec sleep 600' & echo $$; exec sleep 600";

test("commands that the model left running end with a server that is killed", async () => {
  await using program = await startProgram({
    args: ["app-server"],
    model: [calls("exec_command", { cmd: away, yield_time_ms: 500 }), says("Started.")],
  });
  await initialized(program);
  const threadId = (await ask(program, "thread/start", { model: "gpt-5.5" }))?.thread.id ?? "";
  await ask(program, "turn/start", { threadId, input: input("go") });
  await program.until<Wire>(({ method }) => method === "turn/completed");
  const printed = (program.lines as (Wire & { params?: { delta?: string } })[])
    .filter(({ method }) => method === "item/commandExecution/outputDelta")
    .map(({ params }) => params?.delta ?? "")
    .join("");
  const pids = printed.trim().split("\n").map(Number);

  program.child.kill("SIGKILL");
  await program.exit;

  expect(pids).toHaveLength(2);
  await untilGone(pids);
});
