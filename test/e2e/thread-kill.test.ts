import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { listenScriptedModel, type Step } from "../../src/model/scripted/index.js";
import { agentCall, spawn, wait } from "../support/agents.js";
import { calls, says } from "../support/model.js";
import { untilGone } from "../support/processes.js";
import { type Program, playedBy, startProgram } from "../support/program.js";

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

test("agents of the first generation are reported after a kill, and can be given input", async () => {
  const ofV1 = (name: string, args: object): Step => ({
    call: name,
    args,
    call_id: name,
    namespace: "multi_agent_v1",
  });
  const cmd = "echo begun >> log; exec sleep 600";
  const endless = calls("exec_command", { cmd, login: false, yield_time_ms: 20_000 });
  const settings = { model: "gpt-5.5", approvalPolicy: "never", sandbox: "danger-full-access" };
  await using first = await startProgram({
    args: ["app-server"],
    // Which of the two asks first does not matter.
    model: [[ofV1("spawn_agent", { message: "work" })], endless, endless],
  });
  await initialized(first);
  const threadId = (await ask(first, "thread/start", settings))?.thread.id ?? "";
  await ask(first, "turn/start", { threadId, input: input("use a helper") });
  const log = join(first.workspace, "log");
  const begun = () => (existsSync(log) ? readFileSync(log, "utf8").trim().split("\n").length : 0);
  await expect.poll(begun, { timeout: 20_000 }).toBe(2);
  const spawned = await first.until<{ params?: { item?: { receiverThreadIds?: string[] } } }>(
    ({ params }) => params?.item?.receiverThreadIds?.length === 1,
  );
  const target = spawned.params?.item?.receiverThreadIds?.[0] ?? "";
  first.child.kill("SIGKILL");
  await first.exit;

  await using model = await listenScriptedModel({
    script: [
      [
        ofV1("send_input", { target, message: "continue" }),
        ofV1("wait_agent", { targets: [target] }),
      ],
      says("continued"),
      says("done"),
    ],
  });
  writeFileSync(join(first.home, "config.toml"), playedBy(model));
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

  const requests = model.requests.map(({ body }) => JSON.stringify(body));
  const waited = { status: { [target]: { completed: "continued" } }, timed_out: false };
  expect(requests[0]?.split(`their last turn is lost: ${target}.`)).toHaveLength(2);
  expect(requests[0]).toContain("Use send_input");
  expect(requests.at(-1)?.split("their last turn is lost")).toHaveLength(2);
  expect(requests.at(-1)).toContain(JSON.stringify(JSON.stringify(waited)));
  expect(begun()).toBe(2);
});
