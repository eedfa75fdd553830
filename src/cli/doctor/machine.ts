import { execFile } from "node:child_process";
import { accessSync, constants, statSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import type { Environment } from "../../config/index.js";
import { errorText } from "../../lib/errors.js";
import { findGit, findRepository } from "../../project/index.js";
import { createSandbox } from "../../sandbox/index.js";
import type { CommandIo } from "../command.js";
import { type Finding, failed, ok, warning } from "./check.js";

/** Checks the version of Node. */
export function checkNode(version: string): Finding {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  if (major > 20 || (major === 20 && minor >= 19)) return ok(`Node ${version}`);
  return failed(`Node ${version}`, "Install Node 20.19 or newer: https://nodejs.org");
}

/** Checks that the home directory is usable and its secrets are private. */
export function checkHome(home: string): Finding {
  const isThere = statSync(home, { throwIfNoEntry: false }) !== undefined;
  try {
    // A missing directory is created on first use; check that it can be.
    const folder = isThere ? home : existingAbove(home);
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    return failed(
      errorText(error),
      "Make the directory writable, or set CODEX_HOME to another one",
    );
  }
  if (!isThere) return ok(`${home} (does not exist yet; created on first use)`);
  const secrets = statSync(join(home, "auth.json"), { throwIfNoEntry: false });
  if (secrets !== undefined && process.platform !== "win32" && (secrets.mode & 0o077) !== 0) {
    return warning(`${home}: others can read auth.json`, `chmod 600 ${join(home, "auth.json")}`);
  }
  return ok(home);
}

function existingAbove(folder: string): string {
  const above = dirname(folder);
  const isThere = statSync(above, { throwIfNoEntry: false }) !== undefined;
  return isThere || above === folder ? above : existingAbove(above);
}

/** Checks that the sandbox works. */
export async function checkSandbox(home: string, env: Environment): Promise<Finding> {
  const sandbox = createSandbox({
    platform: process.platform,
    arch: process.arch,
    env,
    userHome: env.HOME ?? homedir(),
    agentHome: home,
    stateDir: join(home, "quire"),
  });
  try {
    const problem = await sandbox.unavailable();
    if (problem === undefined) return ok(backends[process.platform] ?? "available");
    const { remedy } = problem.data ?? {};
    const usual = "Run only trusted commands until it works: they would not be sandboxed";
    return failed(problem.message, typeof remedy === "string" ? remedy : usual);
  } finally {
    sandbox.close();
  }
}

const backends: Partial<Record<NodeJS.Platform, string>> = {
  linux: "bubblewrap and seccomp",
  darwin: "Seatbelt",
};

/** Checks that pseudo-terminals can be opened. */
export async function checkTerminalDevice(): Promise<Finding> {
  const { openTerminal } = await import("../../exec/pty.js");
  try {
    const terminal = await openTerminal({ columns: 80, rows: 24 });
    if (terminal === undefined) {
      const remedy = "Reinstall with optional dependencies: npm install --include=optional";
      return warning("unavailable: optional dependency is missing", remedy);
    }
    terminal.close(() => undefined);
    return ok("available");
  } catch (error) {
    return warning(errorText(error), "Mount /dev/pts, or use commands without a terminal");
  }
}

/** Checks that git is installed, outside the project, and that the folder is in a repository. */
export async function checkGit(cwd: string, env: Environment): Promise<Finding> {
  const repository = findRepository(cwd);
  const program = await findGit(env.PATH, [repository?.workTree ?? cwd, cwd]);
  const version =
    program && (await promisify(execFile)(program, ["--version"], { cwd: "/", timeout: 5_000 }));
  if (!version) {
    return warning("git is not installed", "Install git to see and undo changes");
  }
  const name = version.stdout.trim().replace(/^git version /, "git ");
  if (repository === undefined) {
    const remedy = "`git init` here, or `quire exec --skip-git-repo-check`";
    return warning(`${name}; not in a repository`, remedy);
  }
  return ok(`${name}; in a repository`);
}

/** Checks the capabilities of the terminal. */
export function checkTerminal({ stdout, env }: Pick<CommandIo, "stdout" | "env">): Finding {
  if (!stdout.isTTY) return ok("none: output is not a terminal");
  const name = env.TERM ?? "";
  if (name === "" || name === "dumb") {
    return warning(`TERM is ${name || "not set"}`, "Set TERM, such as TERM=xterm-256color");
  }
  const locale = env.LC_ALL || env.LC_CTYPE || env.LANG || "";
  if (process.platform !== "win32" && !/utf-?8/i.test(locale)) {
    return warning(`${name}; the locale is not UTF-8`, "Set LANG, such as LANG=C.UTF-8");
  }
  const colours = env.NO_COLOR ? "no colours (NO_COLOR)" : `${2 ** stdout.getColorDepth()} colours`;
  const size = `${stdout.columns}×${stdout.rows}`;
  if (stdout.columns > 0 && (stdout.columns < 40 || stdout.rows < 10)) {
    return warning(`${name}, ${size}`, "Make the window larger: 80×24 or more");
  }
  return ok(`${name}, ${size}, ${colours}`);
}
