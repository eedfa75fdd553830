import { programName } from "../safety/every-command.js";
import { isWrapper } from "../safety/wrappers.js";

/**
 * Returns whether a rule that allows commands with this beginning may be offered to the user.
 *
 * Such a rule lasts, and anything may follow the words it names. So none is offered that would let
 * arbitrary code run: for a bare interpreter, for a program that runs other programs, for git with
 * settings, for what deletes, or for a script of several lines, which nobody reads in a question.
 */
export function isOfferable(prefix: readonly string[]): boolean {
  const [program = "", ...args] = prefix;
  if (program === "" || prefix.some((word) => /[\n\r]/.test(word))) return false;
  const name = programName(program);
  if (isWrapper(name) || runsAnything.test(name)) return false;
  if (shells.test(name) && isScriptOption.test(args[0] ?? "")) return isOperand(args[1]);
  if (interpreters.test(name)) return isOperand(args[0] === "-m" ? args[1] : args[0]);
  if (needsSubcommand.test(name)) return isOperand(args[0]);
  return true;
}

function isOperand(word: string | undefined): boolean {
  return word !== undefined && word !== "" && !word.startsWith("-");
}

/** Shells that take nothing but the arguments of the script after `-c SCRIPT`. */
const shells = /^(?:ba|z|da|k|mk|a)?sh$/;
const isScriptOption = /^-[a-z]*c$/;

/**
 * Programs that run code. Only a file, a subcommand or a module is fixed by a prefix: after an option
 * with code another one may follow, and `node -e 1 -e 2` runs the second.
 */
const interpreters =
  /^(?:(?:ba|z|da|k|mk|a|fi|c|tc)?sh|node|nodejs|deno|bun|tsx|ts-node|perl|ruby|irb|php|lua|luajit|tclsh|osascript|rscript|julia|java|python[\d.]*|pypy[\d.]*)$/i;

const runsAnything =
  /^(?:rm|shred|dd|mkfs(?:\..+)?|ssh|docker|podman|nerdctl|kubectl|find|fd|[gmn]?awk|eval|trap|source|\.|tmux|screen|pwsh|powershell|cmd)$/i;

const needsSubcommand = /^(?:git|npm|npx|pnpm|yarn|cargo|uv|pip[\d.]*|go)$/;
