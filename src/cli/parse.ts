import { type ParseArgsConfig, parseArgs } from "node:util";
import { nearest } from "../lib/nearest.js";
import type { Command, Options } from "./command.js";
import { UsageError } from "./exit-codes.js";
import { configOptions } from "./options/config-options.js";
import { globalOptions } from "./options/global-options.js";
import { sessionOptions } from "./options/session-options.js";

/** Parsed and checked arguments of a command. */
interface Parsed {
  values: GivenValues;
  positionals: string[];
}

type GivenValues = Record<string, string | boolean | string[] | undefined>;

/** Parses the arguments of a command; throws on an unknown option with the nearest known one. */
export function parseCommand(command: Command, args: string[]): Parsed {
  const options: Options = { ...globalOptions, ...command.options };
  const { values, positionals } = parse(command, options, withEndOfOptions(command, options, args));
  mergeAliases(values, options);
  checkChoices(values, options, command);
  const most = command.mostOperands;
  if (most !== undefined && positionals.length > most) {
    const hint = command.operands?.includes("PROMPT") ? " Quote a prompt of several words." : "";
    const extra = quoted(positionals[most] ?? "");
    throw usage(command, `Unexpected argument ${extra}.${hint}`);
  }
  return { values, positionals };
}

/** Returns a command as typed: `quire exec`, or `quire`. */
export function calledAs({ name }: Command): string {
  return name === "" ? "quire" : `quire ${name}`;
}

function parse(command: Command, options: Options, args: string[]): Parsed {
  const known = toParseArgs(options);
  // Most servers start without arguments, and loading the parser takes longer than the rest.
  if (args.length === 0) return { values: defaultsOf(known), positionals: [] };
  try {
    const allowPositionals = command.operands !== undefined;
    const given = withOptionalValues(args, options);
    const parsed = parseArgs({ args: given, options: known, allowPositionals });
    // The parser returns an object without prototype and with shared lists.
    return { values: { ...parsed.values } as GivenValues, positionals: parsed.positionals };
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw usage(command, `${error.message.split(". ")[0]}.${hintFor(error.message, options)}`);
  }
}

/** Inserts `--` before the command line of another program. */
function withEndOfOptions(command: Command, options: Options, args: string[]): string[] {
  const { verbatimAfter } = command;
  if (verbatimAfter === undefined) return args;
  let at = 0;
  for (let count = 0; count <= verbatimAfter; count++) {
    const word = nextWord(args, at, options);
    if (word === undefined) return args;
    if (count === verbatimAfter) {
      requireOneName(command, args.slice(word));
      return [...args.slice(0, word), "--", ...args.slice(word)];
    }
    at = word + 1;
  }
  return args;
}

/** Throws if `--` follows the second word: the name has a space. */
function requireOneName(command: Command, [word = "", next]: readonly string[]): void {
  if (next !== "--") return;
  const problem = `Expected \`--\` and a command after the name (got ${quoted(word)})`;
  throw usage(command, `${problem}: a name is one word.`);
}

/** Gives options without their optional value an empty one. */
function withOptionalValues(args: readonly string[], options: Options): string[] {
  const end = args.indexOf("--");
  return args.map((arg, index) => {
    const option = arg.startsWith("--") ? options[arg.slice(2)] : undefined;
    if (option?.optionalValue === undefined || (end >= 0 && index > end)) return arg;
    return option.optionalValue.test(args[index + 1] ?? "") ? arg : `${arg}=`;
  });
}

type KnownOptions = NonNullable<ParseArgsConfig["options"]>;

function defaultsOf(known: KnownOptions): GivenValues {
  const given = Object.entries(known).filter(([, option]) => option.default !== undefined);
  return Object.fromEntries(given.map(([name, option]) => [name, option.default])) as GivenValues;
}

function toParseArgs(options: Options): KnownOptions {
  const entries = Object.entries(options).map(([name, option]) => {
    const { type, short, multiple, default: fallback } = option;
    const value = fallback ?? (type === "boolean" ? false : undefined);
    return [
      name,
      {
        type,
        ...(short === undefined ? {} : { short }),
        ...(multiple === undefined ? {} : { multiple }),
        ...(value === undefined || multiple ? {} : { default: value }),
      },
    ] as const;
  });
  return Object.fromEntries(entries);
}

function mergeAliases(values: GivenValues, options: Options): void {
  for (const [name, { aliasOf }] of Object.entries(options)) {
    if (aliasOf === undefined) continue;
    const value = values[name];
    const main = values[aliasOf];
    delete values[name];
    if (value === undefined || value === false) continue;
    values[aliasOf] = Array.isArray(value) && Array.isArray(main) ? [...main, ...value] : value;
  }
}

function checkChoices(values: GivenValues, options: Options, command: Command): void {
  for (const [name, { choices }] of Object.entries(options)) {
    if (choices === undefined) continue;
    for (const value of [values[name] ?? []].flat()) {
      if (typeof value !== "string" || choices.includes(value)) continue;
      const near = nearest(value, choices);
      const hint = near === undefined ? "" : ` Did you mean ${near}?`;
      const known = choices.join(", ");
      throw usage(
        command,
        `Expected --${name} to be one of ${known} (got ${quoted(value)}).${hint}`,
      );
    }
  }
}

/** Returns a hint for an unknown option: the reason it is not supported here, or the nearest option. */
function hintFor(message: string, options: Options): string {
  const typed = /^Unknown option '--?([^']+)'/.exec(message)?.[1];
  if (typed === undefined || typed.length < 2) return "";
  if (Object.hasOwn(configOptions, typed)) return " This command does not read config.toml.";
  if (Object.hasOwn(sessionOptions, typed)) return " This command does not start a session.";
  const near = nearest(typed, Object.keys(options).filter(isShown(options)));
  return near === undefined ? "" : ` Did you mean --${near}?`;
}

function isShown(options: Options): (name: string) => boolean {
  return (name) => options[name]?.aliasOf === undefined && !options[name]?.hidden;
}

function usage(command: Command, problem: string): UsageError {
  return new UsageError(`${problem} See \`${calledAs(command)} --help\``);
}

function quoted(text: string): string {
  return text.length > 60 ? JSON.stringify(`${text.slice(0, 60)}…`) : JSON.stringify(text);
}

/** Returns the index of the next argument that is neither an option nor the value of one. */
export function nextWord(
  args: readonly string[],
  start: number,
  known: Options,
): number | undefined {
  for (let at = start; at < args.length; at++) {
    const arg = args[at] ?? "";
    if (arg === "--") return undefined;
    if (!arg.startsWith("-") || arg === "-") return at;
    if (readOption(arg, known).needsValue) at++;
  }
  return undefined;
}

/** Returns the long name of a typed option, and true if its value is the next argument. */
export function readOption(
  arg: string,
  known: Options,
): { name: string | undefined; needsValue: boolean } {
  if (arg.startsWith("--")) {
    const [name = ""] = arg.slice(2).split("=", 1);
    const option = Object.hasOwn(known, name) ? known[name] : undefined;
    return { name: option && name, needsValue: option?.type === "string" && !arg.includes("=") };
  }
  const entry = Object.entries(known).find(([, { short }]) => short === arg.charAt(1));
  return { name: entry?.[0], needsValue: entry?.[1].type === "string" && arg.length === 2 };
}
