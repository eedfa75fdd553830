import { isPowerShell } from "../shell-argv.js";
import { onlySearches } from "./argument-checks.js";

const reading = new Set([
  "cat",
  "dir",
  "echo",
  "findstr",
  "gc",
  "gci",
  "get-childitem",
  "get-content",
  "get-item",
  "get-location",
  "gl",
  "ls",
  "measure",
  "measure-object",
  "pwd",
  "resolve-path",
  "rvpa",
  "select",
  "select-object",
  "select-string",
  "sls",
  "test-path",
  "tp",
  "type",
  "write-host",
  "write-output",
]);

/** Returns true if a PowerShell command runs a constant script of read-only commands. */
export function isSafePowerShell([program, ...args]: readonly string[]): boolean {
  if (program === undefined || !isPowerShell(program)) return false;
  const script = scriptOf(args);
  const commands = script === undefined ? undefined : readPowerShellCommands(script);
  if (commands === undefined || commands.length === 0) return false;
  return commands.every(isSafeCommand);
}

function scriptOf(args: readonly string[]): string | undefined {
  for (const [index, arg] of args.entries()) {
    const flag = arg.toLowerCase();
    if (/^(?:[-/]command|-c)$/.test(flag)) {
      return index === args.length - 2 ? args[index + 1] : undefined;
    }
    if (/^[-/]command:/.test(flag)) {
      return index === args.length - 1 ? arg.slice(arg.indexOf(":") + 1) : undefined;
    }
    if (/^-(?:nologo|noprofile|noninteractive|mta|sta)$/.test(flag)) continue;
    if (flag.startsWith("-")) return undefined;
    return args.slice(index).map(quoted).join(" ");
  }
  return undefined;
}

function quoted(word: string): string {
  return /^\S+$/.test(word) ? word : `'${word.replaceAll("'", "''")}'`;
}

function isSafeCommand([name = "", ...args]: readonly string[]): boolean {
  const command = name.toLowerCase();
  if (command === "rg") return onlySearches(args.map((arg) => arg.toLowerCase()));
  return reading.has(command);
}

/**
 * Parses a PowerShell script that consists only of commands of plain words and constant strings,
 * joined by `|`, `;` or newlines. Returns `undefined` for anything with a special meaning
 * (variables, parentheses, blocks, redirections, the call operator, comments).
 */
function readPowerShellCommands(script: string): string[][] | undefined {
  const commands: string[][] = [];
  let words: string[] = [];
  let rest = script;
  while (rest !== "") {
    const token = rest.match(tokens);
    if (token === null) return undefined;
    const [text, operator, single, double, bare] = token;
    if (operator !== undefined) {
      if (words.length === 0 && operator === "|") return undefined;
      if (words.length > 0) commands.push(words);
      words = [];
    } else {
      const word = single?.replaceAll("''", "'") ?? double ?? bare;
      if (word === "--%" || word === "") return undefined;
      if (word !== undefined) words.push(word);
    }
    rest = rest.slice(text.length);
  }
  if (words.length > 0) commands.push(words);
  return commands;
}

// Blanks, an operator, a quoted string, or a bare word; strings must end where the word ends.
const tokens =
  /^(?:[ \t]+|(\||;|\r?\n)|'((?:[^']|'')*)'(?=[\s|;]|$)|"([^"$`]*)"(?=[\s|;]|$)|([\w./\\:*?+=,%^!-]+)(?=[\s|;]|$))/;
