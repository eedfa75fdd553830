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

/** Name and version of the program. */
export interface Program {
  name: "quire" | "codex";
  version(): string;
}

/** Runs the program in this process and sets its exit code. */
export async function main(args: string[], program: Program): Promise<void> {
  const stop = new AbortController();
  const terminals = [0, 1, 2].filter((descriptor) => isTerminal(descriptor));
  const { stdout, stderr, env } = process;
  const stdin = isInputEmpty() ? emptyInput() : process.stdin;
  for (const name of ending) process.once(name, () => stop.abort(new Interrupted(name)));
  stdout.on("error", (error) => {
    // The terminal was closed: running work must still be stopped.
    if (stdout.isTTY) stop.abort(new Interrupted("SIGHUP"));
    // The reader of the output has exited, as `head` does; that is normal except for a server.
    else {
      if (servers.has(args[0] ?? ""))
        stderr.write(`${programName()}: standard output was closed: ${error}\n`);
      process.exit(exitCodes.failed);
    }
  });
  const io: CommandIo = { stdin, stdout, stderr, env, cwd: process.cwd(), signal: stop.signal };
  process.exitCode = await runProgram(args, io, program);
  if (terminals.some((descriptor) => !isatty(descriptor))) endByHangup();
}

/** Runs a command line and returns the exit code; the only place where errors of commands are caught. */
export async function runProgram(args: string[], io: CommandIo, program: Program): Promise<number> {
  setProgramName(program.name);
  try {
    return await run(args, io, program);
  } catch (error) {
    return report(error, io);
  }
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
    if (option === "--strict-config") {
      throw new UsageError(
        `--strict-config cannot be used with \`quire ${command.name}\`: it does not read config.toml`,
      );
    }
    io.stderr.write(`${name}: ${option} has no effect on \`${name} ${command.name}\`\n`);
  }
  const isRaw = command.raw && !isHelp(own);
  const { values, positionals } = parseCommand(command, isRaw ? globals : [...globals, ...own]);
  for (const [option, { warning }] of Object.entries(command.options)) {
    if (warning && values[option]) io.stderr.write(`${programName()}: --${option} ${warning}\n`);
  }
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

/** Checks that the word after `help` is a command. */
function requireVerb(words: string[]): string[] {
  const [verb] = words;
  refuseForeignCommand(words);
  const names = (root.verbs ?? []).flatMap(({ name, aliases = [] }) => [name, ...aliases]);
  if (verb === undefined || names.includes(verb)) return words;
  const near = nearest(verb, names);
  const hint = near === undefined ? "" : ` Did you mean \`quire help ${near}\`?`;
  throw new UsageError(`Unknown command \`${verb}\`.${hint} See \`quire --help\``);
}

/** Returns true if the first argument asks for help; later ones belong to the command line of another program. */
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
  // The system and servers name the cause; any other error is a bug, so print its stack.
  const isExplained = error instanceof Error && ("syscall" in error || error.name === "RpcError");
  if (error instanceof Error && !isOurs && !isExplained) stderr.write(`${error.stack}\n`);
  return exitCodeOf(error);
}

/** Returns true for a terminal. Node's module for terminals takes a millisecond to load, so pipes and files come first. */
function isTerminal(descriptor: number): boolean {
  try {
    return fstatSync(descriptor).isCharacterDevice() && isatty(descriptor);
  } catch {
    return false; // closed
  }
}

/** Returns true if standard input is `/dev/null`, as in scripts and CI. */
function isInputEmpty(): boolean {
  try {
    const input = fstatSync(0);
    return input.isCharacterDevice() && input.rdev === statSync("/dev/null").rdev;
  } catch {
    return false; // closed, or no such device
  }
}

/** Creates an empty input stream: Node's own takes longer to create than the rest of the start. */
export function emptyInput(): NodeJS.ReadStream {
  const stream = new Readable({
    read() {
      this.push(null);
    },
  });
  return Object.assign(stream, { fd: 0, isTTY: false }) as unknown as NodeJS.ReadStream;
}
