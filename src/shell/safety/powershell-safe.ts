import { isPowerShell } from "../shell-argv.js";
import { readPowerShellCommands } from "./powershell-words.js";
import { onlySearches } from "./ripgrep.js";

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

/** Whether a PowerShell command runs a constant script of reading commands only. */
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
