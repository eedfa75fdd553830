import { literalWords, parsePlainCommands } from "../plain-commands.js";
import { readSystemShellScript, systemProgram } from "../shell-argv.js";
import { isSafePowerShell } from "./powershell-safe.js";
import type { SafeList } from "./safe-list.js";

/**
 * Returns true if a command is on a list of commands that only read and print.
 *
 * A shell script is safe if it is a plain sequence and each of its commands is safe. A script that
 * cannot be parsed is not safe.
 */
export function isKnownSafe(
  argv: readonly string[],
  list: SafeList,
  platform: NodeJS.Platform = process.platform,
): boolean {
  if (list.powerShell && platform === "win32" && isSafePowerShell(argv)) return true;
  if (isSafeProgram(argv, list, platform)) return true;
  const script = scriptOf(argv, list);
  const commands = script === undefined ? undefined : parsePlainCommands(script, literalWords);
  if (commands === undefined || commands.length === 0) return false;
  return commands.every((command) => isSafeProgram(command, list, platform));
}

function scriptOf(argv: readonly string[], list: SafeList): string | undefined {
  if (list.shells === "bash -lc" && (argv[0] !== "bash" || argv[1] !== "-lc")) return undefined;
  return readSystemShellScript(argv)?.script;
}

function isSafeProgram(
  [program, ...args]: readonly string[],
  list: SafeList,
  platform: NodeJS.Platform,
): boolean {
  const name = list.systemPaths ? systemProgram(program ?? "") : program;
  if (name === undefined) return false;
  if (list.programs.has(name)) return true;
  if (platform === "linux" && list.linuxPrograms.has(name)) return true;
  const check = Object.hasOwn(list.checked, name) ? list.checked[name] : undefined;
  return check?.(args) ?? false;
}
