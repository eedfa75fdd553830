import { spawn } from "node:child_process";
import type { CheckContext } from "./check.js";

/** Exit of a program, and its output on both streams. */
export interface Ended {
  /** Null if it was ended by a signal, or could not be started. */
  code: number | null;
  output: string;
}

/** Runs a slow program in a separate process group that ends with the run. */
export function runToEnd(
  [file = "", ...args]: string[],
  place: { cwd: string; env: Readonly<Record<string, string>> },
  { note, signal }: Pick<CheckContext, "note" | "signal">,
): Promise<Ended> {
  signal.throwIfAborted();
  note(`runs ${[file, ...args].join(" ")}`);
  const child = spawn(file, args, {
    ...place,
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => {
      output += text;
    });
  }
  const end = () => child.pid !== undefined && process.kill(-child.pid, "SIGTERM");
  signal.addEventListener("abort", end, { once: true });
  return new Promise((resolve) => {
    child.on("error", (error) => resolve({ code: null, output: error.message }));
    child.on("close", (code) => {
      signal.removeEventListener("abort", end);
      resolve({ code, output });
    });
  });
}
