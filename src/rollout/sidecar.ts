import { constants } from "node:fs";
import { type FileHandle, mkdir, open, readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { errorText } from "../lib/errors.js";
import { CodexError } from "../protocol/error.js";

/**
 * Adds text to a small file that several processes add lines to.
 *
 * It goes out in one write at the end of the file, so lines of others are never cut; a last line that
 * someone left torn is ended first. Throws when the file cannot be written.
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

/** A line of the file of names. */
interface NameEntry {
  id: string;
  thread_name: string;
  /** As RFC 3339. */
  updated_at: string;
}

/**
 * The file of the names that users gave to conversations; the reference reads and writes it too.
 *
 * Lines are only added; of several the last one counts, whatever time it tells.
 */
function namesPath(home: string): string {
  return join(home, "session_index.jsonl");
}

/** Gives a conversation a name; an empty one takes the name away. */
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
    throw new CodexError("io", `Cannot keep the name of ${id}: ${reason}`, { cause: error });
  }
}

/** The names of all conversations that have one, by id. */
export async function readThreadNames(home: string): Promise<Map<string, string>> {
  const names = new Map<string, string>();
  for (const { id, thread_name } of await readEntries(home)) {
    const name = thread_name.trim();
    if (name === "") names.delete(id);
    else names.set(id, name);
  }
  return names;
}

/** The conversation that was given a name most recently; nothing when none was. */
export async function findThreadByName(home: string, name: string): Promise<string | undefined> {
  if (name.trim() === "") return undefined;
  return (await readEntries(home)).findLast((entry) => entry.thread_name === name)?.id;
}

async function readEntries(home: string): Promise<NameEntry[]> {
  const text = await readFile(namesPath(home), "utf8").catch(() => "");
  return text.split("\n").flatMap((line) => {
    const entry = tryParse(line);
    return isEntry(entry) ? [entry] : [];
  });
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

/** What the user wants to reach in a conversation. */
export interface Goal {
  objective: string;
  status: string;
  tokenBudget: number | null;
  /** In Unix seconds. */
  createdAt: number;
  updatedAt: number;
}

/**
 * The file of the goals that users set for conversations.
 *
 * Lines are only added; of several about one conversation the last counts, and one without a goal
 * takes it away.
 */
function goalsPath(home: string): string {
  return join(home, "quire-goals.jsonl");
}

/** The goal of a conversation, if it has one. */
export async function readGoal(home: string, id: string): Promise<Goal | undefined> {
  const text = await readFile(goalsPath(home), "utf8").catch(() => "");
  const entry = text
    .split("\n")
    .findLast((line) => line.includes(id) && parseGoal(line)?.id === id);
  return entry === undefined ? undefined : (parseGoal(entry)?.goal ?? undefined);
}

/** Keeps the goal of a conversation; without one, takes it away. */
export async function writeGoal(home: string, id: string, goal: Goal | undefined): Promise<void> {
  try {
    await appendLines(goalsPath(home), `${JSON.stringify({ id, goal: goal ?? null })}\n`);
  } catch (error) {
    const reason = errorText(error);
    throw new CodexError("io", `Cannot keep the goal of ${id}: ${reason}`, { cause: error });
  }
}

function parseGoal(line: string): { id?: unknown; goal?: Goal | null } | undefined {
  return tryParse(line) as { id?: unknown; goal?: Goal | null } | undefined;
}
