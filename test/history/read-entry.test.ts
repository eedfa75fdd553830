import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import {
  appendHistory,
  historyPath,
  readHistoryEntry,
  readHistoryMetadata,
} from "../../src/history/index.js";

let home: string;

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), "quire-history-"));
});
afterEach(() => rm(home, { recursive: true, force: true }));

test("an entry is found by its line as long as the file is the same", async () => {
  await writeLines(
    '{"session_id":"a","ts":1,"text":"first"}',
    '{"session_id":"b","ts":2,"text":"é"}',
  );
  const { logId, entryCount } = await readHistoryMetadata(home);

  expect(entryCount).toBe(2);
  expect(await readHistoryEntry({ home, logId, offset: 1 })).toEqual({
    conversation_id: "b",
    ts: 2,
    text: "é",
  });
  expect(await readHistoryEntry({ home, logId: logId + 1, offset: 1 })).toBeUndefined();
  expect(await readHistoryEntry({ home, logId, offset: 2 })).toBeUndefined();
});

test("without a file nothing is found, whatever id is asked for", async () => {
  expect(await readHistoryMetadata(home)).toEqual({ logId: 0, entryCount: 0 });
  expect(await readHistoryEntry({ home, logId: 0, offset: 0 })).toBeUndefined();
});

test("once lines were dropped, old line numbers are not answered", async () => {
  await writeLines(
    ...Array.from({ length: 20 }, (_, n) => `{"session_id":"a","ts":1,"text":"${n}"}`),
  );
  const { logId } = await readHistoryMetadata(home);

  await appendHistory({
    home,
    settings: { persistence: "save-all", maxBytes: 300 },
    entry: { conversation_id: "b", text: "new" },
    clock: { now: () => 0 },
  });

  expect(await readHistoryEntry({ home, logId, offset: 0 })).toBeUndefined();
  const after = await readHistoryMetadata(home);
  const last = { home, logId: after.logId, offset: after.entryCount - 1 };
  expect(await readHistoryEntry(last)).toEqual({ conversation_id: "b", ts: 0, text: "new" });
});

test.each([
  ["not JSON", "{broken"],
  ["no object", '"text"'],
  ["null", "null"],
  ["a number for the text", '{"session_id":"a","ts":1,"text":2}'],
  ["no time", '{"session_id":"a","text":"x"}'],
  ["an empty line", ""],
  ["a time that is no whole number", '{"session_id":"a","ts":1.5,"text":"x"}'],
])("a line with %s is no entry, and those after it are still found", async (_what, line) => {
  await writeLines(line, '{"conversation_id":"b","ts":2,"text":"after"}');
  const { logId } = await readHistoryMetadata(home);

  expect(await readHistoryEntry({ home, logId, offset: 0 })).toBeUndefined();
  expect(await readHistoryEntry({ home, logId, offset: 1 })).toEqual({
    conversation_id: "b",
    ts: 2,
    text: "after",
  });
});

test("lines larger than any message are passed over without being kept", async () => {
  const huge = `{"session_id":"a","ts":1,"text":"${"x".repeat(17 * 1024 * 1024)}"}`;
  await writeLines(huge, '{"session_id":"b","ts":2,"text":"after"}');
  const { logId } = await readHistoryMetadata(home);

  expect(await readHistoryEntry({ home, logId, offset: 0 })).toBeUndefined();
  expect((await readHistoryEntry({ home, logId, offset: 1 }))?.text).toBe("after");
});

test("an entry that spans many reads is put together", async () => {
  const text = "é".repeat(200_000);
  await writeLines(JSON.stringify({ session_id: "a", ts: 1, text }), "{}");
  const { logId } = await readHistoryMetadata(home);

  expect((await readHistoryEntry({ home, logId, offset: 0 }))?.text).toBe(text);
});

test("a last line without its end is still an entry when it is whole", async () => {
  await writeFile(historyPath(home), '{"session_id":"a","ts":1,"text":"x"}');
  const { logId, entryCount } = await readHistoryMetadata(home);

  expect(entryCount).toBe(0);
  expect((await readHistoryEntry({ home, logId, offset: 0 }))?.text).toBe("x");
});

function writeLines(...lines: string[]): Promise<void> {
  return writeFile(historyPath(home), lines.map((line) => `${line}\n`).join(""));
}
