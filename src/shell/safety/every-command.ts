import { type Command, forEachChild, type SyntaxNode } from "unbash";
import { parseShell } from "../syntax-tree.js";
import { wrappedCommands } from "./wrappers.js";

/** The commands that were found, and whether the search came to its end. */
interface FoundCommands {
  commands: string[][];
  isComplete: boolean;
}

/**
 * Finds every command that a command may run: itself, those behind `sudo`, `env`, `xargs` and other
 * wrappers, and those anywhere in the scripts of shells, however their words are quoted.
 *
 * For decisions that tighten only. It reads words as a shell would if no variable mattered, so what it
 * finds may not be there, and what a script computes is not found.
 */
export function everyCommand(argv: readonly string[]): FoundCommands {
  const found: FoundCommands = { commands: [], isComplete: true };
  add([...argv], found, 0);
  return found;
}

const deepest = 8;
const most = 500;

function add(command: string[], found: FoundCommands, depth: number): void {
  if (command.length === 0) return;
  // Nobody wraps an honest command this often.
  if (depth > deepest || found.commands.length >= most) {
    found.isComplete = false;
    return;
  }
  found.commands.push(command);
  const [program = "", ...args] = command;
  const name = programName(program);
  const { commands, scripts } = wrappedCommands(name, args);
  const script = shellScript(name, args);
  for (const inner of commands) add(inner, found, depth + 1);
  for (const text of script === undefined ? scripts : [...scripts, script]) {
    addScript(text, found, depth + 1);
  }
}

function addScript(script: string, found: FoundCommands, depth: number): void {
  const tree = parseShell(script);
  if (tree === undefined || depth > deepest) {
    found.isComplete = false;
    return;
  }
  const before = found.commands.length;
  const texts: string[] = [];
  const visit = (node: SyntaxNode, level: number): void => {
    if (level > deepestNode) {
      found.isComplete = false;
      return;
    }
    if (node.type === "Command") {
      add(wordsOf(node), found, depth);
      texts.push(...textsOf(node));
    }
    forEachChild(node, (child) => visit(child, level + 1));
  };
  visit(tree, 0);
  if (!found.commands.slice(before).some(readsScript)) return;
  for (const text of texts) addScript(text, found, depth + 1);
}

/** Texts that a command prints or is given to read; a shell beside it may run them. */
function textsOf(command: Command): string[] {
  const [name = "", ...args] = wordsOf(command);
  const printed = /^(?:echo|printf)$/.test(programName(name)) ? [args.join(" ")] : [];
  const given = command.redirects.flatMap((redirect) => {
    if (redirect.type === "HereString") return looseWords(redirect.target?.text ?? "");
    return redirect.type === "HereDoc" ? [redirect.body?.text ?? ""] : [];
  });
  return [...printed, ...given];
}

/** Returns whether a command is a shell that reads its script from its standard input. */
export function readsScript([program = "", ...args]: readonly string[]): boolean {
  return shells.test(programName(program)) && args.every((arg) => /^[-+](?!.*c)/.test(arg));
}

const shells = /^(?:ba|z|da|k|mk|a|fi)?sh$/;

const deepestNode = 100;

function wordsOf({ name, args }: Command): string[] {
  if (name === undefined) return [];
  const words = args.flatMap((arg) => (arg.type === "Word" ? looseWords(arg.text) : []));
  return [...looseWords(name.text), ...words];
}

/** Returns the name of a program without its folder and the ending of Windows. */
export function programName(program: string): string {
  return (program.split(/[/\\]/).at(-1) ?? "").replace(/\.exe$/i, "");
}

/** The script of a shell's `-c`, wherever that stands among its options. */
function shellScript(name: string, args: readonly string[]): string | undefined {
  if (!shells.test(name)) return undefined;
  const at = args.findIndex((arg) => /^-[a-zA-Z]*c[a-zA-Z]*$/.test(arg));
  if (at === -1) return undefined;
  return args.slice(at + 1).find((arg) => !/^[-+]/.test(arg));
}

/**
 * Reads a word of a script as the words that a shell would most likely make of it: without quotes and
 * backslashes, braces taken apart. What a variable or a substitution gives stays as it is written.
 *
 * `\rm`, `r''m`, `"rm"`, `$'\x72m'` are all `rm`. For decisions that tighten only.
 */
function looseWords(source: string): string[] {
  const braces = /^\{([^{}]*,[^{}]*)\}$/.exec(source)?.[1];
  if (braces !== undefined) return braces.split(",").map(unquote);
  return [unquote(source)];
}

function unquote(source: string): string {
  return source.replaceAll(piece, (whole, ansi, single, double, escaped) => {
    if (ansi !== undefined) return decode(ansi);
    if (single !== undefined) return single;
    if (double !== undefined) return double.replaceAll(/\\([$`"\\])|\\\n/g, "$1");
    if (escaped !== undefined) return escaped === "\n" ? "" : escaped;
    return whole;
  });
}

const piece = /\$'((?:[^'\\]|\\.)*)'|'([^']*)'|\$?"((?:[^"\\]|\\.)*)"|\\([\s\S])/g;

function decode(text: string): string {
  return text.replaceAll(
    /\\(?:x([0-9a-fA-F]{1,2})|u([0-9a-fA-F]{1,4})|U([0-9a-fA-F]{1,8})|([0-7]{1,3})|(.))/gs,
    (_, hex, short, long, octal, other) => {
      const digits = hex ?? short ?? long;
      if (digits !== undefined) return character(Number.parseInt(digits, 16));
      if (octal !== undefined) return character(Number.parseInt(octal, 8));
      return escapes[other] ?? other;
    },
  );
}

function character(code: number): string {
  return code <= 0x10ffff ? String.fromCodePoint(code) : "";
}

const escapes: Readonly<Record<string, string>> = { n: "\n", t: "\t", r: "\r" };
