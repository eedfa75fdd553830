import { readFileSync, readlinkSync, writeFileSync } from "node:fs";
import { isProcessRunning, ownStart } from "../lib/running-process.js";

/** Who holds a placeholder: a process and one of its sandboxes. */
export type Holder = string;

/** A placeholder: which directory it is, and who needs it. */
export interface PlaceholderEntry {
  dev: number;
  ino: number;
  holders: Holder[];
}

/** The placeholders of all processes of a user, by their paths. */
export type PlaceholderEntries = Map<string, PlaceholderEntry>;

/** Names a sandbox of this process for others. */
export function holderOf(id: string): Holder {
  return [process.pid, ownStart(), pidNamespace(), Date.now(), id].join(" ");
}

/**
 * Whether a holder's process still runs. That of another container cannot be looked at: it counts as
 * running until it is too old to be true.
 */
export function isHolding(holder: Holder): boolean {
  const [pid, start = "", namespace, since] = holder.split(" ");
  if (namespace !== pidNamespace()) return Date.now() - Number(since) < foreignAgeMs;
  return Number(pid) === process.pid || isProcessRunning(Number(pid), start);
}

const foreignAgeMs = 24 * 60 * 60 * 1000;

/** Process numbers mean something only among those that count alike. */
function pidNamespace(): string {
  try {
    return readlinkSync("/proc/self/ns/pid");
  } catch {
    return "";
  }
}

/** Reads the list; one that is missing or broken is empty. To be called with the lock held. */
export function readEntries(file: string): PlaceholderEntries {
  try {
    const entries: unknown = JSON.parse(readFileSync(file, "utf8"));
    return new Map(Array.isArray(entries) ? entries.filter(isPair) : []);
  } catch {
    return new Map();
  }
}

/** Writes the list. To be called with the lock held. */
export function writeEntries(file: string, entries: PlaceholderEntries): void {
  writeFileSync(file, JSON.stringify([...entries]), { mode: 0o600 });
}

function isPair(value: unknown): value is [string, PlaceholderEntry] {
  if (!Array.isArray(value) || typeof value[0] !== "string") return false;
  const entry: unknown = value[1];
  return (
    typeof entry === "object" &&
    entry !== null &&
    "holders" in entry &&
    Array.isArray(entry.holders)
  );
}
