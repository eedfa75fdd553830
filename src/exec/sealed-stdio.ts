import { closeSync, openSync, readdirSync, readFileSync, readSync } from "node:fs";

/** Descriptors 0, 1, 2 and so on of a child: a descriptor of this process or an option of Node. */
export type Stdio = (number | "ignore" | "pipe" | "inherit" | "ipc")[];

/**
 * Adds an empty file for each descriptor that the child would inherit by accident.
 *
 * Those are descriptors that our parent left open, and terminals of other sessions, which the
 * terminal library opens without close-on-exec. `run` must start the child at once: the list is
 * outdated after that.
 */
export function withSealedStdio<T>(stdio: Stdio, run: (stdio: Stdio) => T): T {
  const leaks = process.platform === "linux" ? withinLimit(leakyDescriptors(stdio.length)) : [];
  if (leaks.length === 0) return run(stdio);
  const nothing = openSync("/dev/null", "r+");
  try {
    const sealed: Stdio = [...stdio];
    for (const leak of leaks) {
      while (sealed.length < leak) sealed.push("ignore");
      sealed[leak] = nothing;
    }
    return run(sealed);
  } finally {
    closeSync(nothing);
  }
}

/**
 * Closes descriptors above the limit of open files, which was lowered after they were opened: they
 * cannot be replaced, and nothing here uses them.
 */
function withinLimit(leaks: readonly number[]): readonly number[] {
  const last = leaks.at(-1) ?? 0;
  if (last < lowestLimit) return leaks;
  const limit = openFilesLimit();
  for (const leak of leaks) if (leak >= limit) closeSync(leak);
  return leaks.filter((leak) => leak < limit);
}

/** No system has a lower one that a shell could run with. */
const lowestLimit = 64;

function openFilesLimit(): number {
  const text = readFileSync("/proc/self/limits", "latin1");
  return Number(/^Max open files\s+(\d+)/m.exec(text)?.[1] ?? Number.POSITIVE_INFINITY);
}

const closesOnExec = 0o2000000;

/** Our descriptors from a number on that a new program would inherit. */
function leakyDescriptors(from: number): number[] {
  return readdirSync("/proc/self/fdinfo")
    .map(Number)
    .filter((descriptor) => descriptor >= from && isLeaky(descriptor))
    .sort((left, right) => left - right);
}

function isLeaky(descriptor: number): boolean {
  const flags = /flags:\s*(\d+)/.exec(readInfo(descriptor) ?? "")?.[1];
  return flags !== undefined && (Number.parseInt(flags, 8) & closesOnExec) === 0;
}

function readInfo(descriptor: number): string | undefined {
  let info: number;
  try {
    info = openSync(`/proc/self/fdinfo/${descriptor}`, "r");
  } catch {
    return undefined;
  }
  const buffer = Buffer.alloc(128);
  const size = readSync(info, buffer);
  closeSync(info);
  return buffer.toString("latin1", 0, size);
}
