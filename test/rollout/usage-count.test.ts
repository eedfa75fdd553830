import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { expect, test } from "vitest";
import { Random } from "../../soak/random.js";
import { groupUsage } from "../../src/model/index.js";
import { readUsage, rolloutPath } from "../../src/rollout/index.js";
import { repeats } from "../support/counts.js";

const threads = repeats(10_000, 300);

test(`the usage of ${threads} threads is what their responses used`, async () => {
  const home = mkdtempSync(join(tmpdir(), "quire-usage-"));
  try {
    const random = new Random(16);
    const byDay = new Map<string, number>();
    const byModel = new Map<string, number>();
    const add = (sums: Map<string, number>, key: string, tokens: number) =>
      sums.set(key, (sums.get(key) ?? 0) + tokens);
    for (let n = 0; n < threads; n++) {
      writeThread(home, n, random, (day, model, tokens) => {
        add(byDay, day, tokens);
        add(byModel, model, tokens);
      });
    }

    const records = await readUsage(home);

    expect(totals(records, "day")).toEqual(Object.fromEntries(byDay));
    expect(totals(records, "model")).toEqual(Object.fromEntries(byModel));
    expect(new Set(records.map(({ threadId }) => threadId)).size).toBe(threads);
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
});

type Records = Awaited<ReturnType<typeof readUsage>>;

function totals(records: Records, by: "day" | "model"): Record<string, number> {
  const { rows } = groupUsage(records, by);
  return Object.fromEntries(rows.map(({ key, totalTokens }) => [key, totalTokens]));
}

/** Writes a thread of some responses on one or two days; `used` is told what each of them used. */
function writeThread(
  home: string,
  n: number,
  random: Random,
  used: (day: string, model: string, tokens: number) => void,
): void {
  const start = new Date(Date.UTC(2026, 0, 1 + (n % 90), 12));
  const id = `0192c7a1-0000-7000-8000-${String(n).padStart(12, "0")}`;
  const lines = [line(start, "session_meta", { id, timestamp: start.toISOString(), cwd: "/w" })];
  const total = { input: 0, output: 0 };
  const responses = 1 + random.below(4);
  for (let response = 0; response < responses; response++) {
    const at = new Date(start.getTime() + response * 13 * 3_600_000 * random.below(2));
    const model = `model-${random.below(3)}`;
    const [input, output] = [1 + random.below(1000), 1 + random.below(100)];
    total.input += input;
    total.output += output;
    const info = { total_token_usage: tokens(total), last_token_usage: tokens({ input, output }) };
    const count = line(at, "event_msg", { type: "token_count", info });
    const text = 'The words "token_count" and "turn_context" in a text count nothing.';
    const message = line(at, "event_msg", { type: "agent_message", message: text });
    lines.push(line(at, "turn_context", { model }), message, count);
    if (random.below(3) === 0) lines.push(count); // a count without a response is repeated
    used(localDay(at), model, input + output);
  }
  const path = rolloutPath(home, start, id);
  const target = n % 5 === 0 ? join(home, "archived_sessions", basename(path)) : path;
  mkdirSync(dirname(target), { recursive: true });
  writeFileSync(target, lines.join(""));
}

function tokens({ input, output }: { input: number; output: number }) {
  return { input_tokens: input, output_tokens: output, total_tokens: input + output };
}

function line(at: Date, type: string, payload: object): string {
  return `${JSON.stringify({ timestamp: at.toISOString(), type, payload })}\n`;
}

function localDay(at: Date): string {
  const [month, day] = [at.getMonth() + 1, at.getDate()].map((part) => `${part}`.padStart(2, "0"));
  return `${at.getFullYear()}-${month}-${day}`;
}
