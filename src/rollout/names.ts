import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { errorText } from "../lib/error-text.js";
import { CodexError } from "../protocol/error.js";
import { appendLines } from "./append-lines.js";

/** A line of the file of names. */
export interface NameEntry {
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
