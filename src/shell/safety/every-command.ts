import { type Command, forEachChild, type SyntaxNode } from "unbash";
import { parseShell } from "../syntax-tree.js";
import { wrappedCommands } from "./wrappers.js";

/** The commands found, and whether the search was complete. */
interface FoundCommands {
  commands: string[][];
  isComplete: boolean;
}

/**
 * Finds every command that a command may run: itself, those behind `sudo`, `env`, `xargs` and other
 * wrappers, and those anywhere in the scripts of shells, in any quoting.
 *
 * Only for decisions that tighten. It ignores variables, so it may find commands that never run,
 * and does not find those that a script computes.
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
  // No legitimate command is wrapped this often.
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

/** Returns texts that a command prints or reads; a shell in the same pipeline may run them. */
function textsOf(command: Command): string[] {
  const [name = "", ...args] = wordsOf(command);
  const printed = /^(?:echo|printf)$/.test(programName(name)) ? [args.join(" ")] : [];
  const given = command.redirects.flatMap((redirect) => {
    if (redirect.type === "HereString") return looseWords(redirect.target?.text ?? "");
    return redirect.type === "HereDoc" ? [redirect.body?.text ?? ""] : [];
  });
  return [...printed, ...given];
}

/** Returns true if a command is a shell that reads its script from standard input. */
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

/** Returns the name of a program without its folder and Windows extension. */
export function programName(program: string): string {
  return (program.split(/[/\\]/).at(-1) ?? "").replace(/\.exe$/i, "");
}

/** Returns the script of a shell's `-c`, at any position among its options. */
function shellScript(name: string, args: readonly string[]): string | undefined {
  if (!shells.test(name)) return undefined;
  const at = args.findIndex((arg) => /^-[a-zA-Z]*c[a-zA-Z]*$/.test(arg));
  if (at === -1) return undefined;
  return args.slice(at + 1).find((arg) => !/^[-+]/.test(arg));
}

/**
 * Parses a word of a script as a shell most likely would: without quotes and backslashes, braces
 * expanded. Variables and substitutions stay as written.
 *
 * `\rm`, `r''m`, `"rm"`, `$'\x72m'` are all `rm`. Only for decisions that tighten.
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
