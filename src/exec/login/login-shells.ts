import { homedir } from "node:os";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { Clock } from "../../lib/clock.js";
import { randomUuid } from "../../lib/ids.js";
import { allowManyListeners } from "../../lib/many-listeners.js";
import type { EnforcedPolicy } from "../../sandbox/index.js";
import { threadVariables } from "../environment.js";
import {
  areAlike,
  isPerShell,
  probeScript,
  readProbe,
  type ShellState,
  startupFilesVersion,
  writeDefinitions,
} from "./probe.js";

/** A command with its environment, directories and policy. */
export interface CommandStart {
  argv: readonly string[];
  env: Readonly<Record<string, string>>;
  /** The folder it runs in. */
  workdir: string;
  /** The folder of the turn, which the policy is about. */
  cwd: string;
  policy: EnforcedPolicy;
}

/** Options for login shells. */
export interface LoginShellsOptions {
  clock: Pick<Clock, "now">;
  /** Folder for files that bash reads; no confined command may write there. */
  folder: string;
  /** Runs a confined command and returns its output; `undefined` if it failed. */
  run(command: CommandStart, signal: AbortSignal): Promise<string | undefined>;
}

/**
 * Avoids the start-up files of the user's shell, which often take longer than the command itself.
 *
 * `bash -lc SCRIPT` reads them each time. While the first such command runs, a probe checks if a
 * shell that skips them, but starts with the variables and definitions they produced, is
 * indistinguishable for a script: variables, functions, aliases, options, limits, traps; all but
 * `login_shell`. If so, later commands start that way, for a limited time and only while the files
 * are unchanged; otherwise they continue to read them. Exported variables are held in memory only.
 * Call `close` at the end.
 */
export class LoginShells {
  readonly #options: LoginShellsOptions;
  /** By the state a shell starts from; most recently used last. */
  readonly #known = new Map<string, Knowledge>();
  readonly #underWay = new Set<Promise<void>>();
  readonly #ended = new AbortController();

  constructor(options: LoginShellsOptions) {
    this.#options = options;
    allowManyListeners(this.#ended.signal); // each session that learns has one
  }

  /** Returns the command itself, or an equivalent one that starts faster. */
  spare(command: CommandStart): Pick<CommandStart, "argv" | "env"> {
    const { argv, env } = command;
    const [shell = "", flag, script] = argv;
    if (argv.length !== 3 || flag !== "-lc" || script === undefined) return command;
    if (!isBash(shell) || env.BASH_ENV !== undefined) return command;
    const known = this.#recall(command);
    const isCurrent = this.#isCurrent(known, command);
    if (isCurrent && known.env !== undefined) {
      return { argv: [shell, "-c", script], env: { ...known.env, ...ownOf(env) } };
    }
    if (!isCurrent && !known.isLearning) this.#begin(command, known);
    return command;
  }

  /** Learns no more; resolves when nothing runs for that. */
  async close(): Promise<void> {
    this.#ended.abort();
    await Promise.all(this.#underWay);
  }

  #begin(command: CommandStart, known: Knowledge): void {
    known.isLearning = true;
    const learning = nextTurn() // the command itself goes first
      .then(() => this.#learn(command, known))
      .finally(() => this.#underWay.delete(learning));
    this.#underWay.add(learning);
  }

  #recall({ argv, env, workdir, cwd, policy }: CommandStart): Knowledge {
    const shared = Object.entries(env).filter(([name]) => !namesThread.has(name));
    const key = JSON.stringify([argv[0], shared, workdir, cwd, policy]);
    const known = this.#known.get(key) ?? { isLearning: false };
    this.#known.delete(key);
    this.#known.set(key, known);
    const [oldest] = this.#known.keys();
    if (this.#known.size > maxKnown && oldest !== undefined) this.#known.delete(oldest);
    return known;
  }

  /** A negative result is valid until the files change. */
  #isCurrent({ learned, env }: Knowledge, command: CommandStart): boolean {
    if (learned === undefined || learned.version !== versionFor(command)) return false;
    return env === undefined || this.#options.clock.now() - learned.at <= goodForMs;
  }

  async #learn(command: CommandStart, known: Knowledge): Promise<void> {
    if (this.#ended.signal.aborted) return;
    known.env = undefined;
    known.learned = { version: versionFor(command), at: this.#options.clock.now() };
    // On any error, commands run as before.
    known.env = await this.#tryOut(command).catch(() => undefined);
    known.isLearning = false;
  }

  /** Returns the environment for a shell that skips the files; `undefined` if it would behave differently. */
  async #tryOut(command: CommandStart): Promise<CommandStart["env"] | undefined> {
    const login = await this.#look(command, "-lc", command.env);
    if (login === undefined) return undefined;
    const { env } = login;
    const own = ownOf(command.env);
    const plain = await this.#look(command, "-c", { ...env, ...own });
    if (plain === undefined || areAlike(login, plain)) return plain && env;
    const missing = login.variables.filter((variable) => !plain.variables.includes(variable));
    const defined = { ...env, BASH_ENV: await this.#write([...missing, login.definitions]) };
    const second = await this.#look(command, "-c", { ...defined, ...own });
    return second !== undefined && areAlike(login, second) ? defined : undefined;
  }

  /** If the folder is not writable, an empty path adds nothing. */
  #write(definitions: readonly string[]): Promise<string> {
    return writeDefinitions(this.#options.folder, definitions).catch(() => "");
  }

  async #look(
    command: CommandStart,
    flag: "-lc" | "-c",
    env: CommandStart["env"],
  ): Promise<ShellState | undefined> {
    const mark = randomUuid();
    const argv = [command.argv[0] ?? "", flag, probeScript(mark)];
    const output = await this.#options.run({ ...command, argv, env }, this.#ended.signal);
    return output === undefined ? undefined : readProbe(output, mark);
  }
}

/** Result for shells that start from the same state. */
interface Knowledge {
  isLearning: boolean;
  /** Time of the last probe, and the version of the files. */
  learned?: { version: string; at: number };
  /** Environment for a shell that skips the files. */
  env?: CommandStart["env"] | undefined;
}

/** Files that these read in turn may change unseen. */
const goodForMs = 5 * 60_000;

const maxKnown = 64;

const namesThread: ReadonlySet<string> = new Set(threadVariables);

function versionFor({ env }: CommandStart): string {
  return startupFilesVersion(env.HOME || homedir());
}

function isBash(shell: string): boolean {
  return shell.startsWith("/") && shell.endsWith("/bash");
}

/** Variables that the command's shell continues to count, such as `SHLVL`. */
function ownOf(env: CommandStart["env"]): Record<string, string> {
  return Object.fromEntries(Object.entries(env).filter(([name]) => isPerShell(name)));
}
