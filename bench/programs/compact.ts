// Resumes a recorded conversation in a separate engine, and compacts it.
import { mkdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { createQueues, type EngineParts, runCodex } from "../../src/engine/index.js";
import { createLocalParts } from "../../src/engine/local/parts.js";
import { scriptedClient } from "../../src/model/scripted/index.js";
import type { EventMsg } from "../../src/protocol/types.js";
import { readConversation } from "../../src/rollout/index.js";
import { peakMb } from "../process-facts.js";

export interface CompactResult {
  /** Result of the compaction, as JSON. */
  historyMb: number;
  /** Milliseconds to parse that JSON. */
  parse: number;
  /** Milliseconds from `compact` to the end of the task. */
  compact: number;
  peakMb: number;
}

const { path, folder } = JSON.parse(process.argv[2] ?? "") as { path: string; folder: string };
const home = join(folder, "compact-home");
mkdirSync(home, { recursive: true });
const { size } = statSync(path);

const env = { PATH: process.env.PATH ?? "", HOME: folder, CODEX_HOME: home };
const local = createLocalParts({ env, cwd: folder });
const script = [[{ message: "In short: nothing much." }, { completed: true as const }]];
const parts: EngineParts = {
  ...local,
  loadConfig: (op) => local.loadConfig({ ...op, config: { ...settings(), ...op.config } }),
  createModel: async () => scriptedClient(script, { record: false }),
};
const queues = createQueues();
const running = runCodex(queues, parts);
const events = queues.events[Symbol.asyncIterator]();

queues.submissions.push({
  id: "1",
  op: { type: "configure_session", cwd: folder, resume_path: path },
});
await until("session_configured");
const start = performance.now();
queues.submissions.push({ id: "2", op: { type: "compact" } });
await until("task_complete");
const compact = performance.now() - start;
const peak = peakMb(process.pid);
queues.submissions.push({ id: "3", op: { type: "shutdown" } });
await running;

const json = await historyJson();
const parseStart = performance.now();
JSON.parse(json);
const result: CompactResult = {
  historyMb: json.length / 1024 / 1024,
  parse: performance.now() - parseStart,
  compact,
  peakMb: peak,
};
console.log(JSON.stringify(result));

async function until(type: EventMsg["type"]): Promise<void> {
  for (;;) {
    const { value, done } = await events.next();
    if (done) throw new Error(`The engine ended before ${type}`);
    if (value.msg.type === "error") throw new Error(value.msg.message);
    if (value.msg.type === type) return;
  }
}

/** The conversation as it was before the summary. */
async function historyJson(): Promise<string> {
  const [before, after] = [
    await readConversation(path, { until: size }),
    await readConversation(path),
  ];
  if (after.items.length >= before.items.length) throw new Error("It was not summarized");
  return JSON.stringify(before.items);
}

function settings(): Record<string, unknown> {
  const mock = { name: "mock", base_url: "http://127.0.0.1:1/v1", wire_api: "responses" };
  return {
    model: "mock-model",
    model_provider: "mock",
    approval_policy: "never",
    sandbox_mode: "danger-full-access",
    model_providers: { mock },
  };
}
