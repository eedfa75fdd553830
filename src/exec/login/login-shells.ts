import { homedir } from "node:os";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { Clock } from "../../lib/clock.js";
import { randomUuid } from "../../lib/ids.js";
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

/** A command and all that it begins with. */
export interface CommandStart {
  argv: readonly string[];
  env: Readonly<Record<string, string>>;
  /** The folder it runs in. */
  workdir: string;
  /** The folder of the turn, which the policy is about. */
  cwd: string;
  policy: EnforcedPolicy;
}

/** What the shells are learned with. */
export interface LoginShellsOptions {
  clock: Pick<Clock, "now">;
  /** Where what bash is to read is kept; no confined command may write there. */
  folder: string;
  /** Runs a command, confined as it says, and returns what it wrote; nothing when that failed. */
  run(command: CommandStart, signal: AbortSignal): Promise<string | undefined>;
}

/**
 * Spares commands the time that the start-up files of the user's shell take, which is often more than
 * that of the command.
 *
 * `bash -lc SCRIPT` reads them each time. While the first such command runs, it is tried out whether a
 * shell that does not read them, but begins with what they exported and defined, is the same in all that a
 * script can notice, besides `login_shell`: variables, functions, aliases, options, limits, traps. If so,
 * commands begin that way, for a while and as long as these files do not change; if not, they go on reading
 * them. What is exported is kept in memory alone. Close it.
 */
export class LoginShells {
  readonly #options: LoginShellsOptions;
  /** By what a shell begins with; the one used last is the last. */
  readonly #known = new Map<string, Knowledge>();
  readonly #underWay = new Set<Promise<void>>();
  readonly #ended = new AbortController();

  constructor(options: LoginShellsOptions) {
    this.#options = options;
  }

  /** What to start in place of a command: the same, or what does the same sooner. */
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

  /** What was found to differ does so until the files change. */
  #isCurrent({ learned, env }: Knowledge, command: CommandStart): boolean {
    if (learned === undefined || learned.version !== versionFor(command)) return false;
    return env === undefined || this.#options.clock.now() - learned.at <= goodForMs;
  }

  async #learn(command: CommandStart, known: Knowledge): Promise<void> {
    if (this.#ended.signal.aborted) return;
    known.env = undefined;
    known.learned = { version: versionFor(command), at: this.#options.clock.now() };
    // Whatever goes wrong, commands go on as they did.
    known.env = await this.#tryOut(command).catch(() => undefined);
    known.isLearning = false;
  }

  /** What a shell must begin with that does not read the files; nothing when it would be another. */
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

  /** Where nothing can be written, a file that is not there adds nothing. */
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

/** What is known of shells that begin in the same way. */
interface Knowledge {
  isLearning: boolean;
  /** When it was tried out last, and how the files were. */
  learned?: { version: string; at: number };
  /** What a shell is to begin with that does not read the files. */
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

/** What the command's own shell goes on counting from. */
function ownOf(env: CommandStart["env"]): Record<string, string> {
  return Object.fromEntries(Object.entries(env).filter(([name]) => isPerShell(name)));
}
