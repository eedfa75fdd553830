import { fstatSync, statSync } from "node:fs";
import { Readable } from "node:stream";
import { isatty } from "node:tty";
import { errorText } from "../lib/errors.js";
import { nearest } from "../lib/nearest.js";
import { programName, setProgramName, withProgramName } from "../lib/program-name.js";
import { CodexError } from "../protocol/error.js";
import type { CommandIo } from "./command.js";
import { exitCodeOf, exitCodes, Interrupted, UsageError } from "./exit-codes.js";
import { findCommand } from "./find-command.js";
import { refuseForeignCommand } from "./foreign-commands.js";
import { commandText, overviewText } from "./help.js";
import { readIdentity } from "./identity.js";
import { parseCommand } from "./parse.js";
import { visibleLines } from "./print.js";
import { root } from "./table.js";

/** What the program was called as, and what it is. */
export interface Program {
  name: "quire" | "codex";
  version(): string;
}

/** Runs the program and sets its exit code; the only place where a command's errors are caught. */
export async function main(args: string[], program: Program): Promise<void> {
  const stop = new AbortController();
  const terminals = [0, 1, 2].filter((descriptor) => isatty(descriptor));
  const { stdout, stderr, env } = process;
  const stdin = isInputEmpty() ? emptyInput() : process.stdin;
  for (const name of ending) process.once(name, () => stop.abort(new Interrupted(name)));
  stdout.on("error", (error) => {
    // A terminal that was closed: what runs is still to be ended.
    if (stdout.isTTY) stop.abort(new Interrupted("SIGHUP"));
    // Whoever read our output has gone, as `head` does; only of a server is its end no matter of course.
    else {
      if (servers.has(args[0] ?? ""))
        stderr.write(`${programName()}: standard output was closed: ${error}\n`);
      process.exit(exitCodes.failed);
    }
  });
  const io: CommandIo = { stdin, stdout, stderr, env, cwd: process.cwd(), signal: stop.signal };
  setProgramName(program.name);
  try {
    process.exitCode = await run(args, io, program);
  } catch (error) {
    process.exitCode = report(error, io);
  }
  if (terminals.some((descriptor) => !isatty(descriptor))) endByHangup();
}

/**
 * Ends the process as the closed terminal would have. At a plain exit Node sets its terminals back, and
 * crashes when one is gone.
 */
function endByHangup(): void {
  process.emit("exit", exitCodes.interrupted);
  process.removeAllListeners("SIGHUP");
  process.kill(process.pid, "SIGHUP");
}

/** Commands that serve a client at standard input and output. */
const servers: ReadonlySet<string> = new Set(["app-server", "mcp-server", "proto"]);

const ending = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

async function run(args: string[], io: CommandIo, program: Program): Promise<number> {
  setProgramName(readIdentity(io.env)?.name ?? program.name);
  if (args[0] === "help") return run([...requireVerb(args.slice(1)), "--help"], io, program);
  const { command, args: own, globals, passedOver } = await findCommand(root, args);
  for (const option of passedOver) {
    const name = programName();
    io.stderr.write(`${name}: ${option} does nothing for \`${name} ${command.name}\`\n`);
  }
  const isRaw = command.raw && !isHelp(own);
  const { values, positionals } = parseCommand(command, isRaw ? globals : [...globals, ...own]);
  const era = typeof values.era === "string" ? { QUIRE_ERA: values.era } : {};
  const as = typeof values.as === "string" ? { QUIRE_AS: values.as } : {};
  const world = { ...io, env: { ...io.env, ...era, ...as } };
  setProgramName(readIdentity(world.env)?.name ?? program.name);
  if (values.help) {
    const width = Math.min(io.stdout.columns ?? 80, 100);
    const text = command === root ? overviewText(root, width) : commandText(command, width);
    io.stdout.write(withProgramName(text));
    return exitCodes.ok;
  }
  if (values.version) {
    io.stdout.write(`${await versionText(program, world)}\n`);
    return exitCodes.ok;
  }
  return command.run({ values: values as never, positionals: isRaw ? own : positionals }, world);
}

/** Behind `help` stands a command; a prompt would get the help of all. */
function requireVerb(words: string[]): string[] {
  const [verb] = words;
  refuseForeignCommand(words);
  const names = (root.verbs ?? []).flatMap(({ name, aliases = [] }) => [name, ...aliases]);
  if (verb === undefined || names.includes(verb)) return words;
  const near = nearest(verb, names);
  const hint = near === undefined ? "" : ` Did you mean \`quire help ${near}\`?`;
  throw new UsageError(`There is no command \`${verb}\`.${hint} See \`quire --help\``);
}

/** Only a first `--help` is ours: behind a command line of the user's it belongs to that. */
function isHelp([first]: string[]): boolean {
  return first === "--help" || first === "-h";
}

/** Returns the version; as `codex` the one of Codex that clients of it can work with. */
async function versionText(program: Program, { env }: CommandIo): Promise<string> {
  if (programName() === "quire") return `quire ${program.version()}`;
  const { requireEra } = await import("./identity.js");
  return `codex-cli ${requireEra(env).compatibleWith}`;
}

function report(error: unknown, { stderr, signal }: CommandIo): number {
  const isOurs = error instanceof UsageError || error instanceof CodexError;
  if (error instanceof Interrupted || (signal.aborted && !isOurs)) return exitCodes.interrupted;
  const message = withProgramName(errorText(error));
  stderr.write(`${programName()}: ${visibleLines(message)}\n`);
  // What the system refused says what and where; anything else is a mistake of ours.
  const isOfSystem = error instanceof Error && "syscall" in error;
  if (error instanceof Error && !isOurs && !isOfSystem) stderr.write(`${error.stack}\n`);
  return exitCodeOf(error);
}

/** Whether there is nothing on standard input, as scripts and CI say by `/dev/null`. */
export function isInputEmpty(): boolean {
  try {
    const input = fstatSync(0);
    return input.isCharacterDevice() && input.rdev === statSync("/dev/null").rdev;
  } catch {
    return false; // it is closed, or there is no such device here
  }
}

/** That input: Node's own stream of it takes longer to make than all else before a command runs. */
export function emptyInput(): NodeJS.ReadStream {
  const stream = new Readable({
    read() {
      this.push(null);
    },
  });
  return Object.assign(stream, { fd: 0, isTTY: false }) as unknown as NodeJS.ReadStream;
}
