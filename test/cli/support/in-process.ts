import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { Readable, Writable } from "node:stream";
import type { CommandIo } from "../../../src/cli/command.js";
import { runProgram } from "../../../src/cli/main.js";
import type { Ran } from "./run-quire.js";

/** Options for a run in this process. */
export interface InProcessOptions {
  /** Text on standard input, which then ends. */
  input?: string;
  env?: Record<string, string>;
  cwd?: string;
  /** Standard input, output and error are terminals. */
  isTTY?: boolean;
  /** Width of the terminal. */
  columns?: number;
  signal?: AbortSignal;
}

/** A user with a home and a project directory; runs commands in this process. */
export interface InProcessUser extends Disposable {
  home: string;
  project: string;
  /** Writes a file, named from the parent of `home` and `project`. */
  write(name: string, text: string): string;
  run(args: readonly string[], options?: InProcessOptions): Promise<Ran>;
}

/** Creates a user; the directories are removed on disposal. */
export function createInProcessUser(): InProcessUser {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "quire-cli-")));
  const [home, project] = [join(root, "home"), join(root, "project")];
  for (const path of [home, project]) mkdirSync(path);
  return {
    home,
    project,
    write(name, text) {
      const file = join(root, name);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, text);
      return file;
    },
    async run(args, options = {}) {
      const env = { PATH: process.env.PATH, HOME: root, CODEX_HOME: home, ...options.env };
      const { io, written } = createIo({ cwd: project, ...options }, env);
      const code = await runProgram([...args], io, { name: "quire", version: () => "1.2.3" });
      return { code, ...written };
    },
    [Symbol.dispose]: () => rmSync(root, { recursive: true, force: true }),
  };
}

/** Creates streams that collect output. */
export function createIo(
  { input = "", cwd = "/", isTTY = false, columns, signal }: InProcessOptions,
  env: CommandIo["env"] = {},
): { io: CommandIo; written: { stdout: string; stderr: string } } {
  const written = { stdout: "", stderr: "" };
  const collect = (name: "stdout" | "stderr") => {
    const stream = new Writable({
      decodeStrings: false,
      write(chunk, _, done) {
        written[name] += chunk;
        done();
      },
    });
    return Object.assign(stream, { isTTY, columns }) as unknown as NodeJS.WriteStream;
  };
  const stdin = Object.assign(Readable.from(input === "" ? [] : [input]), { isTTY, fd: 0 });
  const io = {
    stdin: stdin as unknown as NodeJS.ReadStream,
    stdout: collect("stdout"),
    stderr: collect("stderr"),
    env,
    cwd,
    signal: signal ?? new AbortController().signal,
  };
  return { io, written };
}
