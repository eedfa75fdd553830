import { execFileSync } from "node:child_process";
import { readFile } from "node:fs/promises";
import { type Edit, editTrace } from "./trace/edit-trace.js";
import type { Strictness, Trace } from "./trace/trace.js";

/** Facts about a recorded trace beyond its folder's INDEX.md; they hold for any program. */
export interface Adaptation {
  trace: string;
  why: string;
  /** Compares the trace less strictly. */
  strictness?: Strictness;
  /** Makes the edits only where this program is not installed. */
  without?: string;
  edits?: Edit[];
  /** Waits for lines at least this long, in milliseconds. */
  timeout?: number;
  /** Tables added to the config.toml of the trace. */
  config?: string;
}

/** Reads a file of adaptations; one that does not exist adapts nothing. */
export async function readAdaptations(path: string): Promise<Adaptation[]> {
  const text = await readFile(path, "utf8").catch(() => "[]");
  return JSON.parse(text) as Adaptation[];
}

/** A copy of the trace with all that applies to it on this machine. */
export function adaptTrace(trace: Trace, adaptations: Adaptation[]): Trace {
  let adapted = trace;
  for (const { trace: id, strictness, without, edits = [], config, timeout } of adaptations) {
    if (id !== `${trace.group}/${trace.name}`) continue;
    if (without !== undefined && isInstalled(without)) continue;
    if (timeout !== undefined) adapted = { ...adapted, timeoutMs: timeout };
    if (config !== undefined) {
      const config_toml = `${adapted.meta.config_toml ?? ""}\n${config}`;
      adapted = { ...adapted, meta: { ...adapted.meta, config_toml } };
    }
    adapted = editTrace({ ...adapted, strictness: strictness ?? adapted.strictness }, edits);
  }
  return adapted;
}

function isInstalled(program: string): boolean {
  try {
    // A login shell, like the one the commands of the traces run in.
    const env = { PATH: process.env.PATH ?? "", HOME: "/nonexistent" };
    execFileSync("bash", ["-lc", `command -v ${program}`], { stdio: "ignore", env });
    return true;
  } catch {
    return false;
  }
}
