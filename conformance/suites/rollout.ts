import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { CodexError } from "../../src/protocol/error.js";
import type { EventMsg, ResponseItem, RolloutItem, RolloutLine } from "../../src/protocol/types.js";
import { parseRolloutFileName } from "../../src/rollout/file-name.js";
import { readHead } from "../../src/rollout/head.js";
import {
  archiveThread,
  findRollout,
  findThreadByName,
  isHistoryItem,
  isPersistedEvent,
  type ListOptions,
  listThreads,
  parseCursor,
  readConversation,
  readThreadFacts,
  readThreadNames,
} from "../../src/rollout/index.js";
import { readRollout } from "../../src/rollout/read.js";
import { Replay } from "../../src/rollout/replay.js";
import { Warnings } from "../../src/rollout/warnings.js";
import type { SuiteAdapter, SuiteCase } from "../suite.js";
import { inFolder } from "./case-files.js";
import { differs } from "./differs.js";
import { type RunKind, runKind } from "./run-kind.js";

/** Rollout files: their names, their lines, listing and resuming them. */
export const suite: SuiteAdapter = {
  name: "rollout",
  run: (testCase, { dir }) => runKind(kinds, testCase, dir),
};

type CaseFiles = Record<string, unknown[]>;

const kinds: Record<string, RunKind<string>> = {
  list: runList,
  list_filter: runFilter,
  summary: runSummary,
  find_by_id: runFind,
  resume: runResume,
  rpc_archive: runArchive,
  fork_truncate: runForkTruncate,
  session_index: runNames,
  cursor: ({ token, expect_valid }) =>
    differs(parseCursor(String(token)) !== undefined, expect_valid),
  filename({ file_name, expect }) {
    const parsed = parseRolloutFileName(String(file_name));
    if (expect === null || parsed === undefined) return differs(parsed ?? null, expect);
    const values = new Set<unknown>(Object.values(parsed));
    const missing = Object.values(expect as object).filter((value) => !values.has(value));
    return missing.length === 0 ? undefined : `does not say ${missing.join(", ")}`;
  },
  persist_event: ({ event, expect }) =>
    differs(isPersistedEvent({ type: event } as EventMsg, { recordsTasks: false }), expect),
  persist_item: ({ item, expect }) =>
    differs(isHistoryItem({ type: item } as ResponseItem), expect),
};

interface ExpectedPage {
  page_size: number;
  cursor: string | null;
  items: { path: string; head?: unknown[] }[];
  next_cursor?: string | null;
  num_scanned_files?: number;
}

async function runList(testCase: SuiteCase, home: string): Promise<string | undefined> {
  await writeRollouts(home, testCase.files as CaseFiles);
  for (const [number, expected] of (testCase.pages as ExpectedPage[]).entries()) {
    const cursor = expected.cursor === null ? undefined : parseCursor(expected.cursor);
    const page = await listThreads(home, {
      pageSize: expected.page_size,
      form: testCase.era === "v0.98" ? "2026" : "2025",
      ...(cursor === undefined ? {} : { cursor }),
    });
    const paths = page.items.map(({ path }) => relative(home, path));
    const heads = await Promise.all(page.items.map(({ path }) => readHead(path)));
    const difference =
      differs(
        paths,
        expected.items.map(({ path }) => path),
      ) ??
      differs(
        heads.map(({ records }, index) => (expected.items[index]?.head ? records : undefined)),
        expected.items.map(({ head }) => head),
      ) ??
      ("next_cursor" in expected
        ? differs(page.nextCursor ?? null, expected.next_cursor)
        : undefined) ??
      ("num_scanned_files" in expected
        ? differs(page.scannedFiles, expected.num_scanned_files)
        : undefined);
    if (difference !== undefined) return `page ${number}: ${difference}`;
  }
  return undefined;
}

async function runFilter(testCase: SuiteCase, home: string): Promise<string | undefined> {
  await writeRollouts(home, testCase.files as CaseFiles);
  const options: ListOptions = {
    sources: (testCase.sources ?? []) as string[],
    providers: (testCase.model_providers ?? []) as string[],
    ...(testCase.default_provider === undefined
      ? {}
      : { defaultProvider: String(testCase.default_provider) }),
  };
  const { items } = await listThreads(home, options);
  return differs(
    items.map(({ path }) => relative(home, path)),
    testCase.expect_paths,
  );
}

async function runSummary(testCase: SuiteCase, dir: string): Promise<string | undefined> {
  const [meta, ...items] = testCase.head as [unknown, ...unknown[]];
  const path = join(dir, "head.jsonl");
  await writeLines(path, [
    { timestamp: "t", type: "session_meta", payload: meta },
    ...items.map((payload) => ({ timestamp: "t", type: "response_item", payload })),
  ]);
  const facts = await readThreadFacts(path);
  const summary = facts && {
    conversation_id: facts.id,
    timestamp: facts.timestamp,
    preview: facts.preview,
  };
  return differs(summary ?? null, testCase.expect);
}

async function runFind(testCase: SuiteCase, home: string): Promise<string | undefined> {
  await writeRollouts(home, testCase.files as CaseFiles);
  const found = await findRollout(home, String(testCase.id));
  return differs(found === undefined ? null : relative(home, found), testCase.expect);
}

async function runResume(testCase: SuiteCase, dir: string): Promise<string | undefined> {
  const path = join(dir, "rollout.jsonl");
  if (testCase.raw === undefined) await writeLines(path, testCase.lines as unknown[]);
  else await writeFile(path, String(testCase.raw));
  const expected = testCase.expect as Record<string, unknown>;
  try {
    const conversation = await readConversation(path);
    const input = testCase.then_user_input;
    const facts: Record<string, unknown> = {
      conversation_id: conversation.id,
      item_types: await readTypes(path),
      initial_messages: conversation.initialMessages,
      request_input: [...conversation.items, ...(input === undefined ? [] : [message(input)])],
    };
    for (const [name, wanted] of Object.entries(expected)) {
      const difference = differs(facts[name], wanted);
      if (difference !== undefined) return `${name}: ${difference}`;
    }
    return undefined;
  } catch (error) {
    if (!(error instanceof CodexError)) throw error;
    return differs(error.message, expected.error);
  }
}

async function readTypes(path: string): Promise<string[]> {
  const types: string[] = [];
  const line = ({ type }: RolloutLine) => void types.push(type);
  await readRollout(path, { line }, { warnings: new Warnings() });
  return types;
}

async function runArchive(testCase: SuiteCase, home: string): Promise<string | undefined> {
  const [id, other] = [
    "0a1b2c3d-0000-4000-8000-000000000001",
    "0a1b2c3d-0000-4000-8000-000000000002",
  ];
  const path = String(testCase.rollout_path)
    .replaceAll("<codex_home>", home)
    .replaceAll("<other id>", other)
    .replaceAll("<id>", id);
  await mkdir(join(home, "sessions"), { recursive: true });
  await writeLines(path, []);
  const expected = testCase.expect as { error_code?: number; message?: string };
  try {
    await archiveThread(home, { id, path });
    return expected.message === undefined ? undefined : "archived";
  } catch (error) {
    if (!(error instanceof CodexError)) throw error;
    const code = error.code === "invalid_request" ? -32600 : -32603;
    const message = expected.message?.replaceAll("{path}", path).replaceAll("{id}", id);
    return differs({ error_code: code, message: error.message }, { ...expected, message });
  }
}

/** Lines are one byte each, so that positions are numbers of items. */
function runForkTruncate(testCase: SuiteCase): string | undefined {
  const replay = new Replay();
  const items = (testCase.items as (ResponseItem | EventMsg | RolloutItem)[]).map(toLine);
  for (const [index, line] of items.entries()) {
    replay.line(line, { number: index + 1, start: index, end: index + 1 });
  }
  const isAll = testCase.n === "max";
  const cut = isAll ? items.length : (replay.turns.userItems[Number(testCase.n)]?.start ?? 0);
  return differs(cut, testCase.expect_prefix_len);
}

async function runNames(testCase: SuiteCase, home: string): Promise<string | undefined> {
  await writeLines(join(home, "session_index.jsonl"), testCase.lines as unknown[]);
  if (testCase.by_name !== undefined) {
    const id = await findThreadByName(home, String(testCase.by_name));
    return differs(id ?? null, testCase.expect_id);
  }
  const names = await readThreadNames(home);
  if (testCase.by_id !== undefined) {
    return differs(names.get(String(testCase.by_id)) ?? null, testCase.expect_name);
  }
  const ids = (testCase.by_ids ?? testCase.ids ?? []) as string[];
  const found = Object.fromEntries(
    ids.flatMap((id) => (names.has(id) ? [[id, names.get(id)]] : [])),
  );
  return differs(found, testCase.expect_names);
}

function toLine(item: ResponseItem | EventMsg | RolloutItem): RolloutLine {
  const timestamp = "2025-01-01T00:00:00.000Z";
  if ("payload" in item) return { timestamp, ...item } as RolloutLine;
  const type = item.type === "thread_rolled_back" ? "event_msg" : "response_item";
  return { timestamp, type, payload: item } as RolloutLine;
}

function message(text: unknown): unknown {
  return { type: "message", role: "user", content: [{ type: "input_text", text }] };
}

async function writeRollouts(home: string, files: CaseFiles): Promise<void> {
  for (const [name, lines] of Object.entries(files)) await writeLines(inFolder(home, name), lines);
}

async function writeLines(path: string, lines: unknown[]): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
}
