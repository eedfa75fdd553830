import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { text as textOf } from "node:stream/consumers";
import { afterAll } from "vitest";
import type { CellReport } from "../../src/cells/cell-output.js";
import { Cells } from "../../src/cells/cells.js";
import { withSealedStdio } from "../../src/exec/index.js";
import { createSandbox } from "../../src/sandbox/index.js";
import type { ToolOutput } from "../../src/tools/index.js";

/** Cells in a real sandbox, with tools: `echo` returns its arguments, `fail` fails, `hold` waits. */
export function testCells({
  seconds = 30,
  memoryMb = 64,
  ...options
}: {
  seconds?: number;
  memoryMb?: number;
  mostStored?: number;
} = {}) {
  const stateDir = mkdtempSync(join(tmpdir(), "quire-cells-"));
  const { platform, arch } = process;
  const sandbox = createSandbox({ platform, arch, env: process.env, stateDir });
  const hosts: ChildProcess[] = [];
  const cells = new Cells({ sandbox: { isolate }, limits: { seconds, memoryMb }, ...options });
  async function isolate(options: Parameters<typeof sandbox.isolate>[0]) {
    const launch = await sandbox.isolate(options);
    if (launch instanceof Error) return launch;
    const spawned = (child: ChildProcess) => {
      hosts.push(child);
      launch.spawned(child);
    };
    return { ...launch, spawned };
  }
  afterAll(async () => {
    await cells.close();
    sandbox.close();
    rmSync(stateDir, { recursive: true, force: true });
  });
  const notices: string[] = [];
  const called: string[] = [];
  const controller = new AbortController();
  const { signal } = controller;
  const held: (() => void)[] = [];
  const calls = {
    async callTool(name: string, input: string): Promise<ToolOutput> {
      called.push(`${name} ${input}`);
      if (name === "fail") return { text: "it failed", success: false };
      if (name === "hold") await new Promise<void>((resolve) => held.push(resolve));
      return { text: input, success: true };
    },
    notify: (text: string) => notices.push(text),
  };
  return {
    cells,
    notices,
    called,
    abort: () => controller.abort(),
    /** Lets the first call of `hold` return, or all of them. */
    release: () => held.shift()?.(),
    releaseAll() {
      for (const release of held.splice(0)) release();
    },
    killHosts() {
      for (const host of hosts) host.kill("SIGKILL");
    },
    /** Runs a script; `yieldMs` is generous, so that a busy machine does not matter. */
    run(source: string, yieldMs = 60_000): Promise<CellReport> {
      const tools = [
        { name: "echo", isText: false },
        { name: "fail", isText: false },
        { name: "hold", isText: false },
        { name: "patch", isText: true },
      ];
      return cells.run({ source, tools, described: [], calls, signal }, { yieldMs, signal });
    },
    /** Runs a program of Node in the sandbox of the cells; returns its output. */
    async runAsHost(program: string): Promise<string> {
      const launch = await sandbox.isolate({ args: ["-e", program], memoryMb: 1024 });
      if (launch instanceof Error) throw launch;
      const child = withSealedStdio(["ignore", "pipe", "inherit", ...launch.descriptors], (stdio) =>
        spawn(launch.file, [...launch.args], { cwd: launch.cwd, env: { ...launch.env }, stdio }),
      );
      launch.spawned(child);
      return textOf(child.stdout ?? Readable.from([]));
    },
    wait: (id: number, yieldMs = 60_000) => cells.wait(id, { yieldMs, signal }),
  };
}

/** Returns the texts of a report. */
export function textsOf(report: CellReport | undefined): string[] {
  const parts = report?.parts ?? [];
  return parts.map((part) => (part.type === "input_text" ? part.text : part.type));
}
