import { appendFile, readFile, writeFile } from "node:fs/promises";
import {
  appendHistory,
  type HistorySettings,
  historyPath,
  readHistoryEntry,
  readHistoryMetadata,
} from "../../src/history/index.js";
import type { SuiteAdapter, SuiteCase } from "../suite.js";

/** The file of the messages the user has typed: looking up, adding, dropping old ones. */
export const suite: SuiteAdapter = {
  name: "history_jsonl",
  async run(testCase, { dir }) {
    const historyCase = testCase as HistoryCase;
    if (historyCase.lines) await writeFile(historyPath(dir), toText(historyCase.lines));
    const before = await readHistoryMetadata(dir);
    if (historyCase.append_after_metadata) {
      await appendFile(historyPath(dir), toText(historyCase.append_after_metadata));
    }
    await appendAll(historyCase, dir);
    return compare(historyCase, dir, before);
  },
};

interface Line {
  session_id: string;
  ts: number;
  text: string;
}

interface HistoryCase extends SuiteCase {
  lines?: Line[] | null;
  append_after_metadata?: Line[];
  append?: string[];
  config?: { history?: { persistence?: HistorySettings["persistence"]; max_bytes?: number } };
  max_bytes_before_last?: string | number;
  log_id_offset?: number;
  expect: {
    count_before?: number;
    count?: number;
    log_id?: number;
    lookup?: { offset: number; entry: Line | null };
    texts?: string[];
    file_exists?: boolean;
  };
}

function toText(lines: Line[]): string {
  return lines.map((line) => `${JSON.stringify(line)}\n`).join("");
}

async function appendAll(historyCase: HistoryCase, dir: string): Promise<void> {
  const texts = historyCase.append ?? [];
  const { persistence = "save-all", max_bytes } = historyCase.config?.history ?? {};
  for (const [index, text] of texts.entries()) {
    const last = index === texts.length - 1;
    const maxBytes = (last ? await limitBeforeLast(historyCase, dir) : undefined) ?? max_bytes;
    await appendHistory({
      home: dir,
      settings: { persistence, maxBytes },
      entry: { conversation_id: "00000000-0000-0000-0000-000000000000", text },
      clock: Date,
    });
  }
}

/** The limit as a number, or as a sum such as `2*len(long line) + floor(len(short line)/2)`. */
async function limitBeforeLast(
  { max_bytes_before_last: limit }: HistoryCase,
  dir: string,
): Promise<number | undefined> {
  if (limit === undefined || typeof limit === "number") return limit;
  const lines = (await readFile(historyPath(dir), "utf8")).split(/(?<=\n)/);
  const lengths = lines.filter((line) => line !== "").map((line) => Buffer.byteLength(line));
  const values = limit.split("+").map((term) => termValue(term.trim(), lengths));
  return values.reduce((sum, value) => sum + value, 0);
}

function termValue(term: string, lengths: number[]): number {
  if (/^\d+$/.test(term)) return Number(term);
  const times = Number(/^(\d+)\s*\*/.exec(term)?.[1] ?? 1);
  const parts = Number(/\/\s*(\d+)/.exec(term)?.[1] ?? 1);
  const length = term.includes("long") ? Math.max(...lengths) : Math.min(...lengths);
  return Math.floor((times * length) / parts);
}

async function compare(
  { expect, log_id_offset = 0 }: HistoryCase,
  dir: string,
  before: { logId: number; entryCount: number },
): Promise<string | undefined> {
  const text = await readFile(historyPath(dir), "utf8").catch(() => undefined);
  const texts = (text ?? "").split("\n").slice(0, -1);
  const found: HistoryCase["expect"] = {
    count_before: before.entryCount,
    count: before.entryCount,
    log_id: before.logId,
    texts: texts.map((line) => JSON.parse(line).text),
    file_exists: text !== undefined,
  };
  if (expect.lookup) {
    const { offset } = expect.lookup;
    const logId = before.logId + log_id_offset;
    const entry = await readHistoryEntry({ home: dir, logId, offset });
    found.lookup = { offset, entry: entry ? toLine(entry) : null };
  }
  const differing = Object.entries(expect).find(
    ([key, value]) => JSON.stringify(value) !== JSON.stringify(found[key as keyof typeof expect]),
  );
  return (
    differing && `${differing[0]}: ${JSON.stringify(found[differing[0] as keyof typeof expect])}`
  );
}

/** The file uses `session_id`, the protocol `conversation_id`. */
function toLine({
  conversation_id,
  ts,
  text,
}: {
  conversation_id: string;
  ts: number;
  text: string;
}): Line {
  return { session_id: conversation_id, ts, text };
}
