import { fstatSync } from "node:fs";
import { readdir, readFile, readlink } from "node:fs/promises";
import { join } from "node:path";
import type { Readable } from "node:stream";
import type { CommandIo } from "../command.js";
import { UsageError } from "../exit-codes.js";

/** Streams that a prompt is read from. */
export type PromptIo = Pick<CommandIo, "stdin" | "stderr" | "signal">;

/** Returns the typed prompt, otherwise standard input. */
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

/** Returns the typed prompt with piped input appended; without a typed prompt, standard input. */
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
 * Reads standard input to its end, or until no process is left that could write to it.
 *
 * A parent may open a pipe and never close it. After a silent interval, reading continues only if
 * another process of a shell pipeline writes to the pipe.
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
        // The writer may have written and exited during the lookup.
        if (!(await hasPipelineWriter(stdinFd))) patience = lastLookMs;
        continue;
      }
      chunks.push(chunk);
      if (!endsItself) patience = patienceMs;
    }
  } finally {
    // Later input is not read, and an open pipe would keep the process alive.
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

/** Returns true for pipes and sockets; files and terminals have an end of input. */
function isPipe(): boolean {
  const stats = fstatSync(stdinFd);
  return stats.isFIFO() || stats.isSocket();
}

const stdinFd = 0;

/** Silent intervals in milliseconds: for a prompt, for input added to a typed prompt, after the last lookup. */
const promptPatienceMs = 10_000;
const extraPatienceMs = 300;
const lastLookMs = 50;

/**
 * Returns true if another process of a pipeline writes to our pipe, as in `curl … | quire exec …`.
 *
 * Such a process closes the pipe when it is done. An ancestor process, or one behind a socket or in
 * another container, may have left it open by mistake. Returns false if the system does not list the
 * writers of a pipe.
 */
async function hasPipelineWriter(fd: number): Promise<boolean> {
  const pipe = await readlink(`/proc/self/fd/${fd}`).catch(() => "");
  if (!pipe.startsWith("pipe:")) return false;
  const ancestors = await readAncestors();
  for (const pid of await readdir("/proc").catch(() => [])) {
    if (!/^\d+$/.test(pid) || ancestors.has(pid)) continue;
    if (await writesTo(pid, pipe)) return true;
  }
  return false;
}

/** Returns the ids of this process and its ancestors. */
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
