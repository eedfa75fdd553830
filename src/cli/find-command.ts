import { nearest } from "../lib/nearest.js";
import type { Command, Options } from "./command.js";
import { UsageError } from "./exit-codes.js";
import { refuseForeignCommand } from "./foreign-commands.js";
import { globalOptions } from "./options/global-options.js";
import { calledAs, nextWord, readOption } from "./parse.js";

/** A command with its arguments, before and after its name. */
export interface FoundCommand {
  command: Command;
  /** Arguments of the command, including its options typed before the name. */
  args: string[];
  /** Global options typed before the name. */
  globals: string[];
  /** Options typed before the name that the command does not have. */
  passedOver: string[];
}

/**
 * Finds the command of a command line.
 *
 * Options may precede its name: `quire -m MODEL exec` is `quire exec -m MODEL`.
 */
export async function findCommand(root: Command, args: string[]): Promise<FoundCommand> {
  const given: GivenOption[] = [];
  let command = root;
  let rest = args;
  while (command.verbs !== undefined) {
    const { options, word, behind } = splitAtWord(rest, { ...globalOptions, ...command.options });
    if (word !== undefined) refuseForeignCommand([...pathOf(command), word, ...behind]);
    const entry = command.verbs.find(
      ({ name, aliases }) => name === word || (word !== undefined && aliases?.includes(word)),
    );
    if (entry === undefined) {
      checkWord(command, word, behind);
      break;
    }
    given.push(...options);
    command = await entry.load();
    rest = behind;
  }
  const isOf = (options: Options) => (option: GivenOption) =>
    option.name !== undefined && Object.hasOwn(options, option.name);
  const own = given.filter(isOf(command.options));
  const globals = given.filter(isOf(globalOptions));
  const passedOver = given.filter((option) => ![...own, ...globals].includes(option));
  return {
    command,
    args: [...own.flatMap((option) => option.args), ...rest],
    globals: globals.flatMap((option) => option.args),
    passedOver: passedOver.map((option) => option.args[0] ?? ""),
  };
}

/** Returns the words that lead to a command. */
function pathOf({ name }: Command): string[] {
  return name === "" ? [] : name.split(" ");
}

interface GivenOption {
  /** Long name; undefined if the option is unknown. */
  name: string | undefined;
  args: string[];
}

/** Splits arguments at the first word that is not an option. */
function splitAtWord(args: readonly string[], known: Options) {
  const at = nextWord(args, 0, known);
  if (at === undefined) return { options: [], word: undefined, behind: [] };
  const options: GivenOption[] = [];
  for (let index = 0; index < at; ) {
    const { name, needsValue } = readOption(args[index] ?? "", known);
    const end = index + (needsValue ? 2 : 1);
    options.push({ name, args: args.slice(index, end) });
    index = end;
  }
  return { options, word: args[at], behind: args.slice(at + 1) };
}

/** Throws if a word is neither a subcommand nor an operand, or looks like a misspelled subcommand. */
function checkWord(command: Command, word: string | undefined, behind: readonly string[]): void {
  const names = (command.verbs ?? []).map(({ name }) => name);
  if (word === undefined || command.verbs === undefined) return;
  const called = calledAs(command);
  if (command.operands === undefined) {
    const near = nearest(word, names);
    const hint = near === undefined ? "" : ` Did you mean \`${called} ${near}\`?`;
    throw new UsageError(`Unknown command \`${called} ${word}\`.${hint} See \`${called} --help\``);
  }
  if (!/^[a-z-]+$/.test(word)) return;
  const near = nearest(word, names, (name) => (name.length > 5 ? 2 : 1));
  if (near !== undefined) {
    throw new UsageError(
      `Unknown command \`${word}\`. Did you mean \`${called} ${near}\`? ` +
        `To send it as a prompt: \`${called} -- ${[word, ...behind].join(" ")}\``,
    );
  }
}
