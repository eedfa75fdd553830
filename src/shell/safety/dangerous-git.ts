import { readGitCommand } from "./git.js";

/** Whether `git` with these arguments throws away commits, branches or files. */
export function discardsWork(args: readonly string[]): boolean {
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
