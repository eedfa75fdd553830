import { programName } from "../safety/every-command.js";
import { readGitCommand } from "../safety/git.js";
import type { PrefixRule } from "./rule.js";

/**
 * Returns the words of a command that match a rule, in any spelling: the program by any path,
 * options before the subcommand, options reordered or combined.
 *
 * For rules that prompt or forbid. A rule that allows is compared word by word, so that it never
 * widens.
 */
export function matchStrictly(
  { pattern }: PrefixRule,
  command: readonly string[],
  realName: (program: string) => string | undefined = () => undefined,
): string[] | undefined {
  const [program = "", ...args] = command;
  const [first, ...rest] = pattern;
  const names = [program, programName(program), realName(program)];
  const found = first?.find((word) => names.includes(word));
  if (found === undefined) return undefined;
  const after = found === "git" ? withoutGitOptions(args) : args;
  const matched = [found];
  let at = 0;
  for (const words of rest) {
    const hit = find(words, after, at);
    if (hit === undefined) return undefined;
    matched.push(hit.word);
    at = hit.next;
  }
  return matched;
}

interface Hit {
  word: string;
  /** Index where the next word of the pattern is searched. */
  next: number;
}

function find(words: readonly string[], args: readonly string[], start: number): Hit | undefined {
  const end = args.indexOf("--", start);
  const options = end === -1 ? args : args.slice(0, end);
  for (const word of words) {
    if (!word.startsWith("-")) {
      const at = findOperand(word, args, start);
      if (at !== undefined) return { word, next: at + 1 };
    } else if (options.includes(word) || hasLetters(word, options)) {
      return { word, next: start };
    }
  }
  return undefined;
}

/** The word may follow options, each of which may have a value. */
function findOperand(word: string, args: readonly string[], start: number): number | undefined {
  for (let at = start; at < args.length; at++) {
    const arg = args[at] ?? "";
    if (arg === word) return at;
    const before = at > start ? (args[at - 1] ?? "") : "";
    const mayBeValue = /^-[^=]*$/.test(before) && before !== "--";
    if (!arg.startsWith("-") && !mayBeValue) return undefined;
  }
  return undefined;
}

/**
 * Returns true if short options such as `-rf` are present in another spelling: `-fr`, `-r -f`,
 * `--force -r`.
 */
function hasLetters(word: string, options: readonly string[]): boolean {
  if (!/^-[a-zA-Z]{1,3}$/.test(word)) return false;
  const given = options.flatMap((option) => {
    if (/^-[a-zA-Z]{1,4}$/.test(option)) return [...option.slice(1)];
    return option === "--recursive" ? ["r", "R"] : option === "--force" ? ["f"] : [];
  });
  return [...word.slice(1)].every((letter) => given.includes(letter));
}

/** The options of git that take a value are known, so there is no need to guess. */
function withoutGitOptions(args: readonly string[]): readonly string[] {
  const command = readGitCommand(args);
  return command === undefined ? args : [command.subcommand, ...command.args];
}
