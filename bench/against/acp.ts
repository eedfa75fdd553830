// Compares ACP agents on one scripted model: time to the first text, and memory.
//
//   node scripts/run.mjs bench/against/acp.ts NAME=COMMAND…
//
// A command is split at spaces. Each agent runs in a home with the same settings.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { listenScriptedModel, scriptedConfig, unguarded } from "../../src/model/scripted/index.js";

const rounds = 5;

interface Figures {
  /** Milliseconds from the start of the program. */
  initialized: number;
  opened: number;
  /** Milliseconds from the prompt to its first text, in a new and in the same session. */
  firstText: number;
  secondText: number;
  /** Resident memory of the agent and its processes after two turns, in MB. */
  memory: number;
}

async function measure(command: readonly string[]): Promise<Figures> {
  const root = await mkdtemp(join(tmpdir(), "acp-bench-"));
  const answers = [[{ message: "Hello." }]];
  const model = await listenScriptedModel({ script: { answers, after: "repeat" } });
  const settings = scriptedConfig({ baseUrl: model.baseUrl, settings: unguarded, retries: 0 });
  await writeFile(join(root, "config.toml"), settings);
  const [file = "", ...args] = command;
  const started = performance.now();
  const child = spawn(file, args, {
    cwd: root,
    env: { PATH: process.env.PATH ?? "", HOME: root, CODEX_HOME: root, OPENAI_API_KEY: "none" },
    stdio: ["pipe", "pipe", "ignore"],
  });
  const exit = once(child, "exit");
  // Several messages may arrive at once: those that were not read yet wait here.
  const unread: Message[] = [];
  let wake = () => {};
  let hasEnded = false;
  createInterface({ input: child.stdout }).on("line", (line) => {
    unread.push(JSON.parse(line));
    wake();
  });
  void exit.then(() => {
    hasEnded = true;
    wake();
  });
  const until = async (fits: (message: Message) => boolean): Promise<Message> => {
    for (;;) {
      const message = unread.shift();
      if (message?.error) throw new Error(JSON.stringify(message.error));
      if (message !== undefined && fits(message)) return message;
      if (message !== undefined) continue;
      if (hasEnded) throw new Error(`${command.join(" ")} ended`);
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  };
  const send = (id: number, method: string, params: object) =>
    child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`);
  const call = (id: number, method: string, params: object) => {
    send(id, method, params);
    return until((message) => message.id === id && message.method === undefined);
  };
  try {
    await call(1, "initialize", { protocolVersion: 1, clientCapabilities: {} });
    const initialized = performance.now() - started;
    const session = { cwd: root, mcpServers: [] };
    const { result } = await call(2, "session/new", session);
    const opened = performance.now() - started;
    const prompt = async (id: number): Promise<number> => {
      const before = performance.now();
      const content = [{ type: "text", text: "hi" }];
      send(id, "session/prompt", { sessionId: result?.sessionId, prompt: content });
      // Some adapters send warnings as messages.
      await until(({ params }) => params?.update?.content?.text?.includes("Hello") === true);
      const time = performance.now() - before;
      await until((message) => message.id === id);
      return time;
    };
    const firstText = await prompt(3);
    const secondText = await prompt(4);
    return { initialized, opened, firstText, secondText, memory: await memoryOf(child.pid ?? 0) };
  } finally {
    child.stdin.end();
    const timer = setTimeout(() => child.kill("SIGKILL"), 3000);
    await exit;
    clearTimeout(timer);
    await model.close();
    await rm(root, { recursive: true, force: true });
  }
}

interface Message {
  id?: number;
  method?: string;
  error?: unknown;
  result?: { sessionId?: string };
  params?: { update?: { content?: { text?: string } } };
}

/** Returns the memory of a process and its descendants in MB. */
async function memoryOf(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, "utf8");
  const own = Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024;
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, "utf8");
  const others = children.trim().split(" ").filter(Boolean).map(Number);
  const all = await Promise.all(others.map(memoryOf));
  return all.reduce((sum, one) => sum + one, own);
}

function median(values: number[]): string {
  return (values.sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0).toFixed(0);
}

const sides = process.argv.slice(2).map((given) => {
  const [name = "", command = ""] = given.split(/=(.*)/s);
  return { name, command: command.split(" "), all: [] as Figures[] };
});
// The sides take turns, so that noise meets all alike.
for (let round = 0; round < rounds; round++) {
  for (const { command, all } of sides) all.push(await measure(command));
}
for (const { name, all } of sides) {
  const row = (["initialized", "opened", "firstText", "secondText", "memory"] as const).map(
    (key) => `${key} ${median(all.map((figures) => figures[key]))}`,
  );
  process.stdout.write(`${name}: ${row.join(", ")}\n`);
}
