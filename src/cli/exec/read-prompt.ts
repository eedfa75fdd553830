import { fstatSync } from "node:fs";
import { readdir, readFile, readlink } from "node:fs/promises";
import { join } from "node:path";
import type { Readable } from "node:stream";
import type { CommandIo } from "../command.js";
import { UsageError } from "../exit-codes.js";

/** What of the world a prompt is read from. */
export type PromptIo = Pick<CommandIo, "stdin" | "stderr" | "signal">;

/** The prompt: what was typed, else standard input. */
export async function readPrompt(typed: string | undefined, io: PromptIo): Promise<string> {
  if (typed !== undefined && typed !== "-") return typed;
  if (io.stdin.isTTY && typed === undefined) {
    throw new UsageError(
      "No prompt provided. Either specify one as an argument or pipe the prompt into stdin.",
    );
  }
  if (typed === undefined) io.stderr.write("Reading prompt from stdin...\n");
  const text = await readInput(io, promptPatienceMs);
  if (text.trim() === "") throw new UsageError("No prompt provided via stdin.");
  return text;
}

/** A typed prompt, with what is piped in behind it; without one, standard input alone. */
export async function readPromptWithInput(
  typed: string | undefined,
  io: PromptIo,
): Promise<string> {
  if (typed === undefined || typed === "-") return readPrompt(typed, io);
  if (io.stdin.isTTY) return typed;
  const text = await readInput(io, extraPatienceMs);
  if (text.trim() === "") return typed;
  return `${typed}\n\n<stdin>\n${text}${text.endsWith("\n") ? "" : "\n"}</stdin>`;
}

/**
 * Reads standard input to its end, or until nobody is left who could go on.
 *
 * A pipe that a program opened for us and forgot is never closed. So when it has been silent for a
 * while, we go on waiting only for a neighbour in a pipeline of the shell.
 */
async function readInput({ stdin, signal }: PromptIo, patienceMs: number): Promise<string> {
  const chunks: Buffer[] = [];
  const endsItself = stdin.isTTY || !isPipe();
  try {
    let patience = endsItself ? undefined : patienceMs;
    for (;;) {
      const chunk = await nextChunk(stdin, patience, signal);
      if (chunk === "end") break;
      if (chunk === "silence") {
        if (patience === lastLookMs) break;
        // A neighbour may have written and gone while it was looked for.
        if (!(await hasNeighbour(stdinFd))) patience = lastLookMs;
        continue;
      }
      chunks.push(chunk);
      if (!endsItself) patience = patienceMs;
    }
  } finally {
    // What still comes is for nobody, and an open pipe would keep the program alive.
    stdin.pause();
    stdin.unref?.();
  }
  return Buffer.concat(chunks).toString("utf8");
}

function nextChunk(
  stdin: Readable,
  patienceMs: number | undefined,
  signal: AbortSignal,
): Promise<Buffer | "end" | "silence"> {
  const ready = stdin.read() as Buffer | null;
  if (ready !== null) return Promise.resolve(Buffer.from(ready));
  if (stdin.readableEnded || stdin.destroyed) return Promise.resolve("end");
  return new Promise((resolve, reject) => {
    const settle = (act: () => void) => () => {
      clearTimeout(timer);
      stdin.off("readable", onReadable).off("end", onEnd).off("error", onEnd);
      signal.removeEventListener("abort", onAbort);
      act();
    };
    const onReadable = settle(() => resolve(nextChunk(stdin, patienceMs, signal)));
    const onEnd = settle(() => resolve("end"));
    const onAbort = settle(() => reject(signal.reason));
    const timer =
      patienceMs === undefined
        ? undefined
        : setTimeout(
            settle(() => resolve("silence")),
            patienceMs,
          );
    stdin.once("readable", onReadable).once("end", onEnd).once("error", onEnd);
    signal.addEventListener("abort", onAbort, { once: true });
    if (signal.aborted) onAbort();
  });
}

/** Files end by themselves, and people know how to end what they type. */
function isPipe(): boolean {
  const stats = fstatSync(stdinFd);
  return stats.isFIFO() || stats.isSocket();
}

const stdinFd = 0;

/** How long a prompt may let us wait; and what only adds to one that was typed. */
const promptPatienceMs = 10_000;
const extraPatienceMs = 300;
const lastLookMs = 50;

/**
 * Whether a pipe that we read is written by a neighbour in a pipeline, as in `curl … | quire exec …`.
 *
 * A neighbour closes the pipe when it is done. Whoever is above us in the tree of processes, or on
 * the other side of a socket or a container, may have left it open by mistake. Where the system does
 * not tell who has a pipe open, the answer is no.
 */
async function hasNeighbour(fd: number): Promise<boolean> {
  const pipe = await readlink(`/proc/self/fd/${fd}`).catch(() => "");
  if (!pipe.startsWith("pipe:")) return false;
  const ancestors = await readAncestors();
  for (const pid of await readdir("/proc").catch(() => [])) {
    if (!/^\d+$/.test(pid) || ancestors.has(pid)) continue;
    if (await writesTo(pid, pipe)) return true;
  }
  return false;
}

/** Ourselves, and those above us. */
async function readAncestors(): Promise<Set<string>> {
  const pids = new Set<string>();
  for (let pid = String(process.pid); pid !== "0" && pid !== "" && !pids.has(pid); ) {
    pids.add(pid);
    const status = await readFile(`/proc/${pid}/status`, "utf8").catch(() => "");
    pid = /^PPid:\s*(\d+)/m.exec(status)?.[1] ?? "";
  }
  return pids;
}

async function writesTo(pid: string, pipe: string): Promise<boolean> {
  const folder = join("/proc", pid, "fd");
  // Processes of other users do not show what they have open.
  for (const fd of await readdir(folder).catch(() => [])) {
    if ((await readlink(join(folder, fd)).catch(() => "")) !== pipe) continue;
    const info = await readFile(join("/proc", pid, "fdinfo", fd), "utf8").catch(() => "");
    const flags = Number.parseInt(/^flags:\s*([0-7]+)/m.exec(info)?.[1] ?? "0", 8);
    if ((flags & 0b11) !== 0) return true;
  }
  return false;
}
