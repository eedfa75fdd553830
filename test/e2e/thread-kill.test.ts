import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { agentCall, spawn, wait } from "../support/agents.js";
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

test("agents of a killed server are reported once, run nothing twice, and continue on request", async () => {
  const log = (name: string) => `echo ${name} >> log; exec sleep 600`;
  const names = ["one", "two", "three"];
  const settings = { model: "gpt-6-sol", approvalPolicy: "never", sandbox: "danger-full-access" };
  await using first = await startProgram({
    args: ["app-server"],
    config: "features.code_mode = false\n",
    model: {
      answers: [
        names.map((name) => spawn(name)),
        wait,
        [agentCall("list_agents", {})],
        [agentCall("followup_task", { target: "two", message: "continue" })],
        wait,
        says("done"),
      ],
      agents: Object.fromEntries(
        names.map((name) => [
          `/root/${name}`,
          [
            calls("exec_command", { cmd: log(name), login: false, yield_time_ms: 20_000 }),
            says("continued"),
          ],
        ]),
      ),
    },
  });
  await initialized(first);
  const threadId = (await ask(first, "thread/start", settings))?.thread.id ?? "";
  await ask(first, "turn/start", { threadId, input: input("use helpers") });
  const linesOf = () => readFileSync(join(first.workspace, "log"), "utf8").trim().split("\n");
  await expect.poll(() => linesOf().length, { timeout: 20_000 }).toBe(3);
  first.child.kill("SIGKILL");
  await first.exit;

  await using second = await startProgram({
    args: ["app-server"],
    env: { CODEX_HOME: first.home },
  });
  await initialized(second);
  await ask(second, "thread/resume", { threadId, ...settings });
  await ask(second, "turn/start", { threadId, input: input("go on") });
  await second.until<Wire & { params?: { threadId?: string } }>(
    ({ method, params }) => method === "turn/completed" && params?.threadId === threadId,
  );

  // The second server reads the settings of the first, and so asks the same model.
  const ofRoot = JSON.stringify(first.model.requests.at(-1)?.body);
  expect(linesOf().toSorted()).toEqual(["one", "three", "two"]);
  expect(ofRoot.split("their last turn is lost").length).toBe(2);
  expect(ofRoot).toContain("FINAL_ANSWER");
});
