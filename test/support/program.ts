import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import {
  listenScriptedModel,
  type Script,
  type ScriptedServer,
  scriptedConfig,
  unguarded,
} from "../../src/model/scripted/index.js";
import { quireCommand } from "./bin.js";

/** Options for starting the program. */
export interface ProgramOptions {
  args: string[];
  model?: Script;
  env?: Record<string, string>;
  /** Inserted before the tables of config.toml. */
  config?: string;
}

/** The built program, running in a separate folder against a scripted model. */
export interface Program extends AsyncDisposable {
  root: string;
  home: string;
  workspace: string;
  model: ScriptedServer;
  child: ChildProcessWithoutNullStreams;
  /** All lines of its output, parsed. */
  lines: unknown[];
  stderr: () => string;
  write(text: string): void;
  send(message: unknown): void;
  /** Waits for the first matching line from the given index on. */
  until<Line>(fits: (line: Line) => boolean, from?: number): Promise<Line>;
  exit: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
}

/** Starts the built program; dispose it with `await using`. */
export async function startProgram(options: ProgramOptions): Promise<Program> {
  const root = await mkdtemp(join(tmpdir(), "quire-program-"));
  const [home, workspace] = [join(root, "home"), join(root, "workspace")];
  await Promise.all([mkdir(home), mkdir(workspace)]);
  const model = await listenScriptedModel({ script: options.model ?? [] });
  await writeFile(join(home, "config.toml"), playedBy(model, options.config));
  const child = spawn(...quireCommand(options.args), {
    cwd: workspace,
    env: { PATH: process.env.PATH ?? "", HOME: root, CODEX_HOME: home, ...options.env },
  });
  const lines: unknown[] = [];
  const waiting = new Set<() => void>();
  const wake = () => {
    for (const one of waiting) one();
  };
  createInterface({ input: child.stdout }).on("line", (line) => {
    lines.push(JSON.parse(line));
    wake();
  });
  let stderr = "";
  child.stderr.on("data", (data: Buffer) => {
    stderr += data;
  });
  child.stdin.on("error", () => {}); // it may end while we still write
  let ended = false;
  const exit = once(child, "close").then(([code, signal]) => {
    ended = true;
    wake();
    return { code, signal };
  });

  return {
    root,
    home,
    workspace,
    model,
    child,
    lines,
    stderr: () => stderr,
    write: (text) => child.stdin.write(text),
    send: (message) => child.stdin.write(`${JSON.stringify(message)}\n`),
    until: async <Line>(fits: (line: Line) => boolean, from = 0) => {
      for (;;) {
        const found = (lines as Line[]).slice(from).find(fits);
        if (found !== undefined) return found;
        if (ended)
          throw new Error(`It ended first, having written ${JSON.stringify(lines)}\n${stderr}`);
        await new Promise<void>((resolve) => waiting.add(resolve));
      }
    },
    exit,
    async [Symbol.asyncDispose]() {
      if (!ended) child.kill("SIGKILL");
      await exit;
      await model.close();
      await rm(root, { recursive: true, force: true });
    },
  };
}

/** Settings of a program that uses a scripted model; `more` comes before the tables. */
export function playedBy({ baseUrl }: ScriptedServer, more = ""): string {
  return scriptedConfig({ baseUrl, settings: `${unguarded}\n${more}`, retries: 0 });
}
