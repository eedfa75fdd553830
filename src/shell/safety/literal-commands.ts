import { type Command, forEachChild, type SyntaxNode, type Word } from "unbash";
import { literalWords } from "../plain-commands.js";
import { readPlainWord } from "../plain-word.js";
import { parseShell } from "../syntax-tree.js";

const deepest = 100;

/**
 * Returns the literal words of every command anywhere in a script: inside loops, functions,
 * substitutions.
 *
 * Words known only at run time are omitted, so this can prove that a command is present, never that
 * it is absent. Returns `undefined` for a script that is too large or too deep to search.
 */
export function literalCommands(script: string): string[][] | undefined {
  const tree = parseShell(script);
  const found: string[][] = [];
  let tooDeep = false;
  const visit = (node: SyntaxNode, depth: number): void => {
    if (depth > deepest) {
      tooDeep = true;
      return;
    }
    if (node.type === "Command") found.push(literalWordsOf(node));
    forEachChild(node, (child) => visit(child, depth + 1));
  };
  if (tree !== undefined) visit(tree, 0);
  return tree === undefined || tooDeep ? undefined : found.filter((words) => words.length > 0);
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
