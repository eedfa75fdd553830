import { parsePlainCommands } from "../plain-commands.js";
import type { PlainWordRules } from "../plain-word.js";
import { readShellScript } from "../shell-argv.js";
import type { DangerousList } from "./dangerous-list.js";
import { isDangerousOnWindows } from "./dangerous-windows.js";
import { everyCommand, programName } from "./every-command.js";
import { readGitCommand } from "./git.js";
import { literalCommands } from "./literal-commands.js";

/** The entry of the list that a command matched. */
export type DangerousMatch = "ForcedRm" | "Other";

/** Matches a command against a list of dangerous ones, also behind wrappers and inside shell scripts. */
export function dangerousMatch(
  argv: readonly string[],
  list: DangerousList,
  platform: NodeJS.Platform = process.platform,
): DangerousMatch | undefined {
  return list.scripts === "everything"
    ? searchEverything(argv, { list, platform })
    : search(argv, { list, platform }, 0);
}

function searchEverything(argv: readonly string[], given: Search): DangerousMatch | undefined {
  const { commands, isComplete } = everyCommand(argv);
  for (const command of commands) {
    const direct = directMatch(command, given.list);
    if (direct !== undefined) return direct;
  }
  // Too large to search: assume the worst.
  if (!isComplete) return "Other";
  return given.platform === "win32" && isDangerousOnWindows(argv) ? "Other" : undefined;
}

interface Search {
  list: DangerousList;
  platform: NodeJS.Platform;
}

const deepest = 8;

// `rm -rf *` must match although the expansion of the star is unknown.
const sourceWords: PlainWordRules = { unquoted: "source", pieces: "many" };

function search(argv: readonly string[], given: Search, depth: number): DangerousMatch | undefined {
  // No legitimate command is wrapped this often.
  if (depth > deepest) return "Other";
  const direct = directMatch(argv, given.list);
  if (direct !== undefined) return direct;
  for (const inner of innerCommands(argv, given.list)) {
    const found = search(inner, given, depth + 1);
    if (found !== undefined) return found;
  }
  const onWindows = given.list.windows && given.platform === "win32";
  return onWindows && isDangerousOnWindows(argv) ? "Other" : undefined;
}

function directMatch(argv: readonly string[], list: DangerousList): DangerousMatch | undefined {
  const [program = "", ...args] = argv;
  const name = programName(program);
  if (name === "rm" && forces(args, list)) return "ForcedRm";
  return list.git && name === "git" && discardsWork(args) ? "Other" : undefined;
}

function forces(args: readonly string[], list: DangerousList): boolean {
  if (list.forcedRm === "never") return false;
  if (list.forcedRm === "first argument") return args[0] === "-f" || args[0] === "-rf";
  const end = args.indexOf("--");
  const options = end === -1 ? args : args.slice(0, end);
  return options.some((arg) => arg === "--force" || /^-[^-]*f/.test(arg));
}

function innerCommands(argv: readonly string[], list: DangerousList): readonly string[][] {
  const [program = "", ...args] = argv;
  const name = program.split("/").at(-1) ?? "";
  const inner: string[][] = [];
  if (list.wrappers.has(name)) inner.push(wrappedCommand(name, args));
  const script = readShellScript(argv)?.script;
  if (script !== undefined) inner.push(...scriptCommands(script, list));
  return inner.filter((command) => command.length > 0);
}

function scriptCommands(script: string, list: DangerousList): readonly string[][] {
  if (list.scripts === "plain") return parsePlainCommands(script, sourceWords) ?? [];
  const found = literalCommands(script);
  if (found !== undefined) return found;
  // Too large to search: assume the worst.
  return /\brm\b/.test(script) ? [["rm", "-f"]] : [];
}

/** Returns the command that a wrapper runs; a `trap` runs the script in its first operand. */
function wrappedCommand(wrapper: string, args: readonly string[]): string[] {
  if (wrapper === "sudo") return [...args];
  if (wrapper === "env") {
    const start = args.findIndex(
      (arg) => !/^(?:-i|--ignore-environment|[^-=][^=]*=.*)$/s.test(arg),
    );
    if (start === -1) return [];
    return args.slice(args[start] === "--" ? start + 1 : start);
  }
  const action = args[0] === "--" ? args[1] : args[0];
  return action === undefined || action.startsWith("-") ? [] : ["sh", "-c", action];
}

/** Returns true if `git` with these arguments discards commits, branches or files. */
function discardsWork(args: readonly string[]): boolean {
  const command = readGitCommand(args);
  if (command === undefined) return false;
  switch (command.subcommand) {
    case "reset":
    case "rm":
      return true;
    case "branch":
      return command.args.some((arg) => hasLetter(arg, "dD") || isLong(arg, ["delete"]));
    case "push":
      return command.args.some(overwritesRemote);
    case "clean":
      return command.args.some((arg) => hasLetter(arg, "f") || isLong(arg, ["force"]));
    default:
      return false;
  }
}

function overwritesRemote(arg: string): boolean {
  if (hasLetter(arg, "fd")) return true;
  if (isLong(arg, ["force", "force-with-lease", "force-if-includes", "delete"])) return true;
  // `+branch` forces an update, `:branch` deletes one.
  return /^[+:]./s.test(arg);
}

function hasLetter(arg: string, letters: string): boolean {
  return /^-[^-]/.test(arg) && [...letters].some((letter) => arg.includes(letter));
}

function isLong(arg: string, names: readonly string[]): boolean {
  return arg.startsWith("--") && names.includes(arg.slice(2).split("=", 1)[0] ?? "");
}
