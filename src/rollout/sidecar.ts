import { constants } from "node:fs";
import { type FileHandle, mkdir, open, readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { errorText } from "../lib/errors.js";
import { TimeSlice } from "../lib/time-slice.js";
import { CodexError } from "../protocol/error.js";

/**
 * Appends text to a small file that several processes append lines to.
 *
 * The text is appended in one write, so lines of other processes stay intact; a truncated last line
 * is ended first. Throws if the file cannot be written.
 */
export async function appendLines(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const { O_RDWR, O_APPEND, O_CREAT, O_NOFOLLOW } = constants;
  const file = await open(path, O_RDWR | O_APPEND | O_CREAT | (O_NOFOLLOW ?? 0), 0o600);
  try {
    const bytes = Buffer.from((await isTorn(file)) ? `\n${text}` : text);
    const { bytesWritten } = await file.write(bytes);
    if (bytesWritten < bytes.length) await file.write(bytes, bytesWritten);
  } finally {
    await file.close();
  }
}

async function isTorn(file: FileHandle): Promise<boolean> {
  const { size } = await file.stat();
  if (size === 0) return false;
  const { bytesRead, buffer } = await file.read(Buffer.alloc(1), 0, 1, size - 1);
  return bytesRead === 1 && buffer[0] !== 0x0a;
}

/** A line of `session_index.jsonl`. */
interface NameEntry {
  id: string;
  thread_name: string;
  /** RFC 3339. */
  updated_at: string;
}

/**
 * Returns the file of thread names, which the reference also reads and writes.
 *
 * It is append-only; the last line of a conversation counts, whatever its timestamp.
 */
export function namesPath(home: string): string {
  return join(home, "session_index.jsonl");
}

/** Names a conversation; an empty name removes the name. */
export async function setThreadName(
  home: string,
  id: string,
  { name, now }: { name: string; now: number },
): Promise<void> {
  const entry: NameEntry = { id, thread_name: name, updated_at: new Date(now).toISOString() };
  try {
    await appendLines(namesPath(home), `${JSON.stringify(entry)}\n`);
  } catch (error) {
    const reason = errorText(error);
    throw new CodexError("io", `Cannot store the name of ${id}: ${reason}`, { cause: error });
  }
}

/** Returns the names of all named conversations, by id. */
export async function readThreadNames(home: string): Promise<Map<string, string>> {
  const names = new Map<string, string>();
  for (const { id, thread_name } of await readEntries(home)) {
    const name = thread_name.trim();
    if (name === "") names.delete(id);
    else names.set(id, name);
  }
  return names;
}

/** Returns the conversation that was named so most recently. */
export async function findThreadByName(home: string, name: string): Promise<string | undefined> {
  if (name.trim() === "") return undefined;
  return (await readEntries(home)).findLast((entry) => entry.thread_name === name)?.id;
}

async function readEntries(home: string): Promise<NameEntry[]> {
  const text = await readFile(namesPath(home), "utf8").catch(() => "");
  const slice = new TimeSlice();
  const entries: NameEntry[] = [];
  for (const line of text.split("\n")) {
    const entry = tryParse(line);
    if (isEntry(entry)) entries.push(entry);
    if (slice.isOver) await slice.next();
  }
  return entries;
}

function isEntry(value: unknown): value is NameEntry {
  if (typeof value !== "object" || value === null) return false;
  return "id" in value && typeof value.id === "string" && hasName(value);
}

function hasName(value: object): boolean {
  return "thread_name" in value && typeof value.thread_name === "string";
}

function tryParse(line: string): unknown {
  try {
    return line.trim() === "" ? undefined : JSON.parse(line);
  } catch {
    return undefined;
  }
}
