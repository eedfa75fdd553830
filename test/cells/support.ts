import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";
import type { CellReport } from "../../src/cells/cell-output.js";
import { Cells } from "../../src/cells/cells.js";
import { createSandbox } from "../../src/sandbox/index.js";
import type { ToolOutput } from "../../src/tools/index.js";

/** Cells in a real sandbox, with a tool `echo` that returns its arguments. */
export function testCells({ seconds = 30, memoryMb = 64 } = {}) {
  const stateDir = mkdtempSync(join(tmpdir(), "quire-cells-"));
  const { platform, arch } = process;
  const sandbox = createSandbox({ platform, arch, env: process.env, stateDir });
  const cells = new Cells({ sandbox, limits: { seconds, memoryMb } });
  afterAll(async () => {
    await cells.close();
    sandbox.close();
    rmSync(stateDir, { recursive: true, force: true });
  });
  const notices: string[] = [];
  const called: string[] = [];
  const controller = new AbortController();
  const { signal } = controller;
  const calls = {
    async callTool(name: string, input: string): Promise<ToolOutput> {
      called.push(`${name} ${input}`);
      if (name === "fail") return { text: "it failed", success: false };
      return { text: input, success: true };
    },
    notify: (text: string) => notices.push(text),
  };
  return {
    cells,
    notices,
    called,
    abort: () => controller.abort(),
    /** Runs a script; `yieldMs` is generous, so that a busy machine does not matter. */
    run(source: string, yieldMs = 60_000): Promise<CellReport> {
      const tools = [
        { name: "echo", isText: false },
        { name: "fail", isText: false },
        { name: "patch", isText: true },
      ];
      return cells.run({ source, tools, described: [], calls, signal }, { yieldMs, signal });
    },
    wait: (id: number, yieldMs = 60_000) => cells.wait(id, { yieldMs, signal }),
  };
}

/** Returns the texts of a report. */
export function textsOf(report: CellReport | undefined): string[] {
  const parts = report?.parts ?? [];
  return parts.map((part) => (part.type === "input_text" ? part.text : part.type));
}
