import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { bin, quireCommand } from "../../support/bin.js";

/** Exit code and output of a run. */
export interface Ran {
  code: number;
  stdout: string;
  stderr: string;
}

/** Options for a run. */
export interface RunOptions {
  /** Text on standard input, which then ends. */
  input?: string;
  env?: Record<string, string>;
  cwd?: string;
}

/** A user with a separate home and project; runs the built program. */
export interface TestUser extends Disposable {
  home: string;
  project: string;
  run(args: readonly string[], options?: RunOptions): Promise<Ran>;
  /** The same under the name of the reference. */
  runAsCodex(args: readonly string[], options?: RunOptions): Promise<Ran>;
}

/** Makes a user whose folders are removed when the test ends. */
export function createUser(): TestUser {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "quire-cli-")));
  const home = join(folder, "home");
  const project = join(folder, "project");
  for (const path of [home, project]) mkdirSync(path);
  symlinkSync(bin, join(folder, "codex"));
  const runFile = (file: string, args: readonly string[], options: RunOptions = {}) => {
    const { input = "", env = {}, cwd = project } = options;
    const whole = { PATH: process.env.PATH, HOME: folder, CODEX_HOME: home, ...env };
    return new Promise<Ran>((done) => {
      const limits = { timeout: 20_000, maxBuffer: 64 * 1024 * 1024 };
      const child = execFile(
        ...quireCommand(args, file),
        { cwd, env: whole, ...limits },
        (error, stdout, stderr) => done({ code: codeOf(error), stdout, stderr }),
      );
      child.stdin?.on("error", () => undefined);
      child.stdin?.end(input);
    });
  };
  return {
    home,
    project,
    run: (args, options) => runFile(bin, args, options),
    runAsCodex: (args, options) => runFile(join(folder, "codex"), args, options),
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  };
}

function codeOf(error: { code?: string | number | null } | null): number {
  return error === null ? 0 : Number(error.code ?? -1);
}
