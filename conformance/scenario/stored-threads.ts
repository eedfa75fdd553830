import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { SuiteCase } from "../suite.js";
import type { CaseBindings } from "./bindings.js";

/** Writes the threads that a case finds stored. */
export async function writeStoredThreads(
  { rollout, rollouts, rollouts_generated: generated }: SuiteCase,
  home: string,
  bindings: CaseBindings,
): Promise<void> {
  bindings.set("ID", idOf(0));
  if (rollout !== undefined) {
    const { file, ...thread } = bindings.fill(rollout) as StoredThread & { file: string };
    await write(join(home, file), idOf(0), { meta_ts: "2025-01-05T12:00:00Z", ...thread });
  }
  const listed = [
    ...((rollouts as StoredThread[] | undefined) ?? []),
    ...(generated === undefined ? [] : generate(generated as Generated)),
  ];
  for (const [index, thread] of listed.entries()) {
    const name = thread.filename_ts ?? "";
    const [year = "", month = "", day = ""] = name.slice(0, 10).split("-");
    const file = `rollout-${name}-${idOf(index + 1)}.jsonl`;
    await write(join(home, "sessions", year, month, day, file), idOf(index + 1), thread);
  }
}

interface StoredThread {
  filename_ts?: string;
  meta_ts?: string;
  preview: string;
  model_provider?: string;
  source?: string;
}

interface Generated {
  count: number;
  preview: string;
  first_15_provider: string;
  last_7_provider: string;
}

/** One thread an hour, the newest first. */
function generate(options: Generated): StoredThread[] {
  const start = Date.parse("2025-03-10T00:00:00Z");
  return Array.from({ length: options.count }, (_, index) => {
    const time = new Date(start + (options.count - index) * 3_600_000).toISOString();
    const provider = index < 15 ? options.first_15_provider : options.last_7_provider;
    return {
      filename_ts: time.slice(0, 19).replaceAll(":", "-"),
      meta_ts: time,
      preview: options.preview,
      model_provider: provider,
    };
  });
}

async function write(path: string, id: string, thread: StoredThread): Promise<void> {
  const { meta_ts: timestamp = "2025-01-01T00:00:00Z", preview, source = "cli" } = thread;
  const meta = {
    id,
    timestamp,
    cwd: "/",
    originator: "codex",
    cli_version: "0.0.0",
    source,
    model_provider: thread.model_provider ?? null,
  };
  const message = {
    type: "message",
    role: "user",
    content: [{ type: "input_text", text: preview }],
  };
  const lines = [
    { timestamp, type: "session_meta", payload: meta },
    { timestamp, type: "response_item", payload: message },
    {
      timestamp,
      type: "event_msg",
      payload: { type: "user_message", message: preview, kind: "plain" },
    },
  ];
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
}

function idOf(index: number): string {
  return `67e55044-10b1-426f-9247-${String(index).padStart(12, "0")}`;
}
