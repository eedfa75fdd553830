import type { Command, PipelineNode, Statement, Word } from "unbash";
import { isUnquoted, type PlainWordRules, readPlainWord } from "./plain-word.js";
import { readSystemShellScript } from "./shell-argv.js";
import { parseShell } from "./syntax-tree.js";

/** Rules under which the parsed words are exactly the arguments that run. */
export const literalWords: PlainWordRules = { unquoted: "literal", pieces: "many" };

/**
 * Parses a script that consists only of commands of plain words joined by `&&`, `||`, `;`, `|` or
 * newlines; returns the words of each command in order.
 *
 * Returns `undefined` for anything else (redirections, expansions, assignments, control flow,
 * comments, background jobs, syntax errors): such a script is never guessed at.
 */
export function parsePlainCommands(
  script: string,
  rules: PlainWordRules = literalWords,
): string[][] | undefined {
  const tree = parseShell(script);
  if (tree === undefined || (tree.errors?.length ?? 0) > 0) return undefined;

  const commands: Word[][] = [];
  for (const statement of tree.commands) {
    if (!collectStatement(statement, commands)) return undefined;
  }
  if (!onlyOperatorsBetween(script, commands)) return undefined;
  return readCommands(commands, rules);
}

/** Returns the plain commands inside `bash -lc SCRIPT` (or `zsh`, `sh`, `-c`). */
export function parseShellLcPlainCommands(
  argv: readonly string[],
  rules: PlainWordRules = literalWords,
): string[][] | undefined {
  const invocation = readSystemShellScript(argv);
  return invocation === undefined ? undefined : parsePlainCommands(invocation.script, rules);
}

function collectStatement(statement: Statement, into: Word[][]): boolean {
  if (statement.background === true) return false;
  const node = statement.command;
  if (node.type !== "AndOr") return collectPipeline(node, into);
  return node.commands.every((command) => collectPipeline(command, into));
}

function collectPipeline(node: PipelineNode, into: Word[][]): boolean {
  if (node.type === "Command") return collectCommand(node, into);
  if (node.type !== "Pipeline" || node.prefixes.length > 0) return false;
  if (node.operators.some((operator) => operator !== "|")) return false;
  return node.commands.every(
    (command) => command.type === "Command" && collectCommand(command, into),
  );
}

function collectCommand(command: Command, into: Word[][]): boolean {
  if (command.name === undefined || command.prefix.length > 0) return false;
  const words = [command.name];
  for (const argument of command.suffix) {
    if (argument.type !== "Word") return false;
    words.push(argument);
  }
  into.push(words);
  return true;
}

/**
 * Verifies the parser: between two words of a command there must be only blanks, and between
 * commands only blanks around one operator. Comments and anything else missing from the tree fail
 * here.
 */
function onlyOperatorsBetween(script: string, commands: readonly Word[][]): boolean {
  const blanks = /^(?:[ \t]|\\\n)*$/;
  const operator = /^(?:\s|\\\n)*?(?:&&|\|\|?|;|\n)(?:[ \t\n]|\\\n)*$/;
  let end = 0;
  for (const [index, words] of commands.entries()) {
    for (const [position, word] of words.entries()) {
      const gap = script.slice(end, word.pos);
      const starts = index === 0 && position === 0;
      const allowed = starts ? /^[ \t\n]*$/ : position === 0 ? operator : blanks;
      if (!allowed.test(gap)) return false;
      end = word.end;
    }
  }
  return /^[ \t\n]*;?[ \t\n]*$/.test(script.slice(end));
}

function readCommands(commands: readonly Word[][], rules: PlainWordRules): string[][] | undefined {
  const result: string[][] = [];
  for (const words of commands) {
    const values = words.map((word) => readPlainWord(word.text, rules));
    if (!isUnquoted(words[0]?.text ?? "")) return undefined;
    if (!values.every((value) => value !== undefined)) return undefined;
    result.push(values);
  }
  return result;
}
