import { type Command, forEachChild, parse, type SyntaxNode, type Word } from "unbash";
import { literalWords } from "../plain-commands.js";
import { readPlainWord } from "../plain-word.js";

/**
 * The literal words of every command anywhere in a script: inside loops, functions, substitutions.
 *
 * Words that are only known when the script runs are left out, so this can find what is certainly
 * there and must not be used to show that something is absent.
 */
export function literalCommands(script: string): string[][] {
  if (script.length > 200_000) return [];
  const found: string[][] = [];
  const visit = (node: SyntaxNode): void => {
    if (node.type === "Command") found.push(literalWordsOf(node));
    forEachChild(node, visit);
  };
  visit(parse(script));
  return found.filter((words) => words.length > 0);
}

function literalWordsOf(command: Command): string[] {
  const name = command.name === undefined ? undefined : literal(command.name);
  if (name === undefined) return [];
  const args = command.args.map((arg) => (arg.type === "Word" ? literal(arg) : undefined));
  return [name, ...args.filter((arg) => arg !== undefined)];
}

function literal(word: Word): string | undefined {
  return readPlainWord(word.text, literalWords);
}
