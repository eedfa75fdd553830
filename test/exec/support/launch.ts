import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { CodexError } from "../../../src/protocol/error.js";
import type { SandboxPolicy } from "../../../src/protocol/types.js";
import { createSandbox, type Launch } from "../../../src/sandbox/index.js";

/** A folder that is gone after the test. */
export function temporaryFolder(): string {
  const path = mkdtempSync(join(tmpdir(), "quire-exec-"));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

/** Options for a launch in a test. */
export interface LaunchOptions {
  cwd?: string;
  policy?: SandboxPolicy;
  terminal?: boolean;
  env?: Record<string, string>;
}

/** Prepares a command; without a sandbox by default. */
export async function prepare(
  argv: readonly string[],
  { cwd = "/", policy, terminal, env = {} }: LaunchOptions = {},
): Promise<Launch> {
  const sandbox = createSandbox({
    platform: process.platform,
    arch: process.arch,
    env: {},
    stateDir: join(temporaryFolder(), "state"),
    probeTimeoutMs: 10_000,
  });
  const launch = await sandbox.prepare({
    argv,
    cwd,
    policy: policy ?? { mode: "danger-full-access" },
    env: { PATH: "/usr/local/bin:/usr/bin:/bin", ...env },
    ...(terminal === undefined ? {} : { terminal }),
  });
  if (launch instanceof CodexError) throw launch;
  return launch;
}

/** The same for a script of the shell. */
export function prepareShell(script: string, options?: LaunchOptions): Promise<Launch> {
  return prepare(["/bin/sh", "-c", script], options);
}

/** Returns true if a process is running and not a zombie; Linux only. */
export function runs(pid: number): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    return !/\) [ZX] /.test(stat);
  } catch {
    return false;
  }
}

/** Waits for something to become true. */
export async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 5));
}
