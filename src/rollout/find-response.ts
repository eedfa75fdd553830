import { open, stat } from "node:fs/promises";
import { join } from "node:path";
import type { ReplayedConversation } from "./conversation.js";
import { type FileEntry, FileIndex } from "./file-index.js";
import { type RolloutFile, walkRollouts } from "./files.js";
import { forkConversation } from "./fork.js";

/** Response ids in the first `bytes` of a rollout. */
interface ResponsesOfFile extends FileEntry {
  bytes: number;
  ids: string[];
}

/**
 * Returns the conversation that recorded a response, up to the end of that response.
 *
 * Searches all rollouts of the home from the newest, including archived ones. An index in the home
 * caches the ids, so only what was appended since the last search is read.
 */
export async function findResponse(
  responseId: string,
  home: string,
): Promise<ReplayedConversation | undefined> {
  const index = openIndex(home);
  await index.load();
  try {
    for (const archived of [false, true]) {
      for await (const file of walkRollouts(home, archived)) {
        if (!(await idsOf(file, index)).includes(responseId)) continue;
        const conversation = await readUpTo(file.path, responseId);
        if (conversation !== undefined) return conversation;
      }
    }
    return undefined;
  } finally {
    await index.save();
  }
}

function openIndex(home: string): FileIndex<ResponsesOfFile> {
  return new FileIndex<ResponsesOfFile>({
    path: join(home, "quire-responses.jsonl"), // the reference ignores this file
    header: '{"quire_responses":1}',
    isEntry,
    worthwhile: 20,
  });
}

function isEntry(entry: Partial<ResponsesOfFile>): entry is ResponsesOfFile {
  return (
    typeof entry.file === "string" &&
    typeof entry.inode === "number" &&
    typeof entry.bytes === "number" &&
    Array.isArray(entry.ids)
  );
}

/**
 * A rollout may contain the id without having recorded the response, e.g. in a command's output.
 */
async function readUpTo(path: string, id: string): Promise<ReplayedConversation | undefined> {
  try {
    const { conversation } = await forkConversation(path, { type: "response", responseId: id });
    return conversation;
  } catch {
    return undefined;
  }
}

async function idsOf(
  { name, path }: RolloutFile,
  index: FileIndex<ResponsesOfFile>,
): Promise<readonly string[]> {
  // Another process may archive or delete the file.
  const stats = await stat(path).catch(() => undefined);
  if (stats === undefined) return [];
  const known = index.get(name);
  const isSame = known !== undefined && known.inode === stats.ino && known.bytes <= stats.size;
  if (isSame && known.bytes === stats.size) return known.ids;
  const before = isSame ? known : { bytes: 0, ids: [] };
  const found = await readIds(path, before.bytes).catch(() => undefined);
  if (found === undefined) return before.ids;
  const ids = [...new Set([...before.ids, ...found.ids])];
  index.add({ file: name, inode: stats.ino, bytes: found.bytes, ids });
  return ids;
}

/** Returns the ids after an offset, and the size of the file. */
async function readIds(path: string, from: number): Promise<{ bytes: number; ids: string[] }> {
  const file = await open(path);
  try {
    const ids: string[] = [];
    let offset = Math.max(0, from - overlap);
    let rest = "";
    for (;;) {
      const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(chunk), 0, chunk, offset);
      if (bytesRead === 0) return { bytes: offset, ids };
      offset += bytesRead;
      // Ids are ASCII, and in latin1 each byte is one character.
      const text = rest + buffer.toString("latin1", 0, bytesRead);
      for (const [, id] of text.matchAll(namesResponse)) if (id !== undefined) ids.push(id);
      rest = text.slice(-overlap);
    }
  } finally {
    await file.close();
  }
}

const chunk = 1024 * 1024;
/** An id may span two chunks, or the end of the last search. */
const overlap = 512;
const namesResponse = /"response_id"\s*:\s*"([^"\\]+)"/g;
