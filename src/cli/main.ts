import { parseArgs } from "node:util";
import { nearest } from "../lib/nearest.js";
import { CodexError } from "../protocol/error.js";
import { type Command, type CommandIo, toParseArgs } from "./command.js";
import { commandText, overviewText } from "./help.js";
import { commands } from "./table.js";

/** Runs the program and sets its exit code; the only place where a command's errors are caught. */
export async function main(args: string[]): Promise<void> {
  const stop = new AbortController();
  for (const name of ["SIGINT", "SIGTERM"] as const) {
    process.once(name, () => stop.abort(new Interrupted(name)));
  }
  const { stdin, stdout, stderr, env } = process;
  // Whoever read our output has gone, as `head` does; there is nobody left to tell.
  stdout.on("error", () => process.exit(exitCodes.failed));
  const io: CommandIo = { stdin, stdout, stderr, env, cwd: process.cwd(), signal: stop.signal };
  try {
    process.exitCode = await run(args, io);
  } catch (error) {
    process.exitCode = report(error, io);
  }
}

async function run([name, ...rest]: string[], io: CommandIo): Promise<number> {
  if (name === undefined || name === "--help" || name === "-h" || name === "help") {
    io.stdout.write(overviewText(commands));
    return name === undefined ? exitCodes.usage : 0;
  }
  const entry = commands.find((command) => command.name === name);
  if (entry === undefined) throw new UsageError(unknownCommand(name));
  const command = await entry.load();
  if (command.raw && !isHelp(rest)) return command.run({ values: {}, positionals: rest }, io);
  const { values, positionals } = parse(command, rest);
  if (values.help) {
    io.stdout.write(commandText(command));
    return 0;
  }
  return command.run({ values: values as never, positionals }, io);
}

/** Only a first `--help` is ours: behind a command line of the user's it belongs to that. */
function isHelp([first]: string[]): boolean {
  return first === "--help" || first === "-h";
}

/** The exit codes that are the same for every command. */
export const exitCodes = { failed: 1, usage: 2, config: 3, interrupted: 130 } as const;

/** Something typed that cannot be understood; the message says what to type instead. */
export class UsageError extends Error {}

class Interrupted extends Error {}

function parse(command: Command, args: string[]) {
  try {
    return parseArgs({
      args,
      options: toParseArgs(command),
      strict: true,
      allowPositionals: command.operands !== undefined,
    });
  } catch (error) {
    const reason = error instanceof Error ? error.message.split(". ")[0] : String(error);
    throw new UsageError(`${reason}\nSee \`quire ${command.name} --help\``);
  }
}

function report(error: unknown, { stderr }: CommandIo): number {
  if (error instanceof Interrupted) return exitCodes.interrupted;
  const message = error instanceof Error ? error.message : String(error);
  stderr.write(`quire: ${message}\n`);
  if (error instanceof UsageError) return exitCodes.usage;
  if (error instanceof CodexError) {
    return error.code === "config" || error.code === "auth" ? exitCodes.config : exitCodes.failed;
  }
  if (error instanceof Error) stderr.write(`${error.stack}\n`);
  return exitCodes.failed;
}

function unknownCommand(name: string): string {
  const near = nearest(
    name,
    commands.map((command) => command.name),
  );
  const hint = near === undefined ? "" : ` Did you mean \`quire ${near}\`?`;
  return `There is no command \`${name}\`.${hint} See \`quire --help\``;
}
