import { closeSync, mkdirSync, openSync, writeFileSync, writeSync } from "node:fs";
import { dirname } from "node:path";
import { rolloutPath } from "../src/rollout/index.js";

/** Properties of a generated conversation. */
export interface LongRollout {
  megabytes: number;
  /** Compacts itself after this many messages; never if omitted. */
  summaryEvery?: number;
}

/** The thread that a long conversation is recorded for. */
export const longRolloutId = idOf(0);

/** Writes a conversation of that size, as the engine would have recorded it. */
export function writeLongRollout(path: string, { megabytes, summaryEvery }: LongRollout): void {
  mkdirSync(dirname(path), { recursive: true });
  const file = openSync(path, "w");
  let bytes = writeLines(file, [metaLine(longRolloutId)]);
  let nextSummary = (summaryEvery ?? Number.POSITIVE_INFINITY) * mb;
  for (let turn = 0; bytes < megabytes * mb; turn++) {
    bytes += writeLines(file, turnLines(turn));
    if (bytes < nextSummary) continue;
    bytes += writeLines(file, [summaryLine(turn)]);
    nextSummary += (summaryEvery ?? 0) * mb;
  }
  closeSync(file);
}

/** Fills a home with conversations of one short turn, one started every ten minutes. */
export function writeManyRollouts(home: string, count: number): void {
  for (let n = 0; n < count; n++) {
    const started = new Date(firstStart + n * 600_000);
    const path = rolloutPath(home, started, idOf(n));
    mkdirSync(dirname(path), { recursive: true });
    const lines = [metaLine(idOf(n)), ...turnLines(n, 200)];
    writeFileSync(path, lines.map(toText).join(""));
  }
}

const mb = 1024 * 1024;
const firstStart = Date.UTC(2026, 0, 1);

/** One turn: the user asks, the model thinks, runs a command, and answers. */
function turnLines(turn: number, outputLength = 12_000): object[] {
  const question = `Question ${turn}: ${prose(turn, 400)}`;
  const thought = `**Thinking** ${prose(turn + 1, 300)}`;
  const answer = `Answer ${turn}: ${prose(turn + 2, 1500)}`;
  const call_id = `call_${turn}`;
  const command = { command: ["bash", "-lc", `cat file-${turn}.txt`] };
  const output = JSON.stringify({
    output: prose(turn + 3, outputLength),
    metadata: { exit_code: 0 },
  });
  return [
    event({ type: "task_started", model_context_window: 272_000 }),
    item({ type: "message", role: "user", content: [{ type: "input_text", text: question }] }),
    event({ type: "user_message", message: question, kind: "plain" }),
    line("turn_context", turnContext),
    event({ type: "agent_reasoning", text: thought }),
    item({
      type: "reasoning",
      id: `rs_${turn}`,
      summary: [{ type: "summary_text", text: thought }],
      encrypted_content: prose(turn + 4, 800),
    }),
    item({ type: "function_call", name: "shell", arguments: JSON.stringify(command), call_id }),
    item({ type: "function_call_output", call_id, output }),
    event({ type: "agent_message", message: answer }),
    event({ type: "token_count", info: usage, rate_limits: null }),
    item({ type: "message", role: "assistant", content: [{ type: "output_text", text: answer }] }),
    event({
      type: "task_complete",
      last_agent_message: answer,
      turn_id: `turn_${turn}`,
      response_id: `resp_${turn}`,
    }),
  ];
}

function summaryLine(turn: number): object {
  const text = `Summary at ${turn}: ${prose(turn, 4000)}`;
  const summary = { type: "message", role: "user", content: [{ type: "input_text", text }] };
  return line("compacted", { message: text, replacement_history: [summary] });
}

function metaLine(id: string): object {
  return line("session_meta", {
    id,
    timestamp: at,
    cwd: "/workspace",
    originator: "quire",
    cli_version: "0.166.0",
    instructions: null,
    source: "cli",
    model_provider: "mock",
  });
}

const at = "2026-01-01T00:00:00.000Z";

const turnContext = {
  cwd: "/workspace",
  approval_policy: "never",
  sandbox_policy: { type: "danger-full-access" },
  model: "mock-model",
  summary: "auto",
};

const tokens = {
  input_tokens: 100,
  cached_input_tokens: 20,
  output_tokens: 30,
  reasoning_output_tokens: 5,
  total_tokens: 130,
};
const usage = {
  total_token_usage: tokens,
  last_token_usage: tokens,
  model_context_window: 272_000,
};

function item(payload: object): object {
  return line("response_item", payload);
}

function event(payload: object): object {
  return line("event_msg", payload);
}

function line(type: string, payload: object): object {
  return { timestamp: at, type, payload };
}

function idOf(n: number): string {
  return `0192c7a1-0000-7000-8000-${String(n).padStart(12, "0")}`;
}

/** Text of that length that is not the same twice. */
function prose(seed: number, length: number): string {
  let text = "";
  for (let n = seed * 31; text.length < length; n++) text += `${vocabulary[n % 23]} ${n % 1009}, `;
  return text.slice(0, length);
}

const vocabulary = (
  "the file reads a line and writes another where no test was seen to fail before it had run " +
  "through twice again"
).split(" ");

function writeLines(file: number, lines: readonly object[]): number {
  return writeSync(file, lines.map(toText).join(""));
}

function toText(value: object): string {
  return `${JSON.stringify(value)}\n`;
}
