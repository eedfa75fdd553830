import { nearest } from "../lib/nearest.js";
import type { Command, Options } from "./command.js";
import { UsageError } from "./exit-codes.js";
import { refuseForeignCommand } from "./foreign-commands.js";
import { globalOptions } from "./options/global-options.js";
import { calledAs, nextWord, readOption } from "./parse.js";

/** A command with what was typed for it, in front of its verb and behind. */
export interface FoundCommand {
  command: Command;
  /** Options of its own, with those that were typed in front of the verb. */
  args: string[];
  /** Of those in front of the verb, what every command has. */
  globals: string[];
  /** Options typed in front of the verb that the command does not have. */
  passedOver: string[];
}

/**
 * Follows what was typed to the command that is meant.
 *
 * Options may stand in front of a verb: `quire -m MODEL exec` is `quire exec -m MODEL`.
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
  /** Its long name; nothing when there is no such option. */
  name: string | undefined;
  args: string[];
}

/** The options in front of the first word that is none, that word, and what follows it. */
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

/** A word that is no verb is an operand, unless the command takes none or it looks like a slip. */
function checkWord(command: Command, word: string | undefined, behind: readonly string[]): void {
  const names = (command.verbs ?? []).map(({ name }) => name);
  if (word === undefined || command.verbs === undefined) return;
  const called = calledAs(command);
  if (command.operands === undefined) {
    const near = nearest(word, names);
    const hint = near === undefined ? "" : ` Did you mean \`${called} ${near}\`?`;
    throw new UsageError(`There is no verb \`${word}\` here.${hint} See \`${called} --help\``);
  }
  if (!/^[a-z-]+$/.test(word)) return;
  const near = nearest(word, names, (name) => (name.length > 5 ? 2 : 1));
  if (near !== undefined) {
    throw new UsageError(
      `There is no command \`${word}\`. Did you mean \`${called} ${near}\`? ` +
        `If it is a prompt: \`${called} -- ${[word, ...behind].join(" ")}\``,
    );
  }
}
