import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { type Clock, Codex, CodexError, type EraName } from "../../src/index.js";
import { systemClock } from "../../src/lib/clock.js";
import type { Cassette } from "../../src/testing/index.js";
import type { Folders } from "../replay/folders.js";

/** Time of every run: 2026-01-01. */
const now = Date.UTC(2026, 0, 1);

/** A clock that stands still; long delays pass quickly. */
const fixedClock: Clock = {
  now: () => now,
  sleep: (ms, signal) => systemClock.sleep(Math.min(ms, 1000), signal),
};

/** A run of some prompts. */
export interface PlayOptions {
  folders: Folders;
  era: EraName;
  prompts: readonly string[];
  cassette: Cassette;
}

/** Runs the prompts as turns of one thread; returns its rollout, with placeholders for what differs from run to run. */
export async function play({ folders, era, prompts, cassette }: PlayOptions): Promise<string[]> {
  const { codexHome, home, workspace } = folders;
  const codex = new Codex({
    env: { PATH: process.env.PATH, HOME: home, CODEX_HOME: codexHome },
    workingDirectory: workspace,
    approvalPolicy: "never",
    sandboxMode: "danger-full-access",
    era,
    clock: fixedClock,
    cassette,
  });
  try {
    const thread = codex.startThread();
    for (const prompt of prompts) {
      try {
        await thread.run(prompt, { signal: AbortSignal.timeout(longestTurnMs) });
      } catch (error) {
        // A turn that fails is recorded too; one that was recorded as hanging is interrupted.
        const isExpected = error instanceof CodexError || (error as Error).name === "TimeoutError";
        if (!isExpected) throw error;
      }
    }
  } finally {
    await codex.close();
  }
  return readRollouts(join(codexHome, "sessions"));
}

const longestTurnMs = 6000;

async function readRollouts(folder: string): Promise<string[]> {
  // Settings with a mistake keep a session from starting.
  const names = await readdir(folder, { recursive: true }).catch(() => []);
  const files = names.filter((name) => name.endsWith(".jsonl")).sort();
  const texts = await Promise.all(files.map((name) => readFile(join(folder, name), "utf8")));
  const lines = withoutIds(texts.join("")).split("\n");
  // Agents work at the same time, and end in any order.
  return files.length > 1 ? lines.map((line) => line.replace(/<ID-\d+>/g, "<ID>")).sort() : lines;
}

/** Numbers ids by their first use, and removes measured durations, chosen names and the texts of a missing answer. */
function withoutIds(text: string): string {
  const ids: string[] = [];
  return text
    .replace(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, (id) => {
      if (!ids.includes(id)) ids.push(id);
      return `<ID-${ids.indexOf(id) + 1}>`;
    })
    .replace(
      /((?:duration|wall_time)_seconds\\?":|Wall time:? |(?:timed out|aborted by user) after |"nanos":|"secs":|duration_ms":|Chunk ID: |chunk_id\\?":\\?")[\w.-]+/g,
      "$1<MEASURED>",
    )
    .replace(/(nickname\\?":\\?")[^"\\]+/g, "$1<NAME>")
    .replace(
      /"message":"(?:We're currently experiencing high demand|The cassette )(?:[^"\\]|\\.)*"(?:,"codex_error_info":[^}]*)?/g,
      '"message":"<NO ANSWER>"',
    );
}
