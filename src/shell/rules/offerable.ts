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
  if (interpreters.test(name)) return args.some((arg) => !arg.startsWith("-"));
  if (needsSubcommand.test(name)) return args[0] !== undefined && !args[0].startsWith("-");
  return true;
}

const interpreters =
  /^(?:(?:ba|z|da|k|mk|a|fi|c|tc)?sh|pwsh|powershell|cmd|node|nodejs|deno|bun|tsx|ts-node|perl|ruby|irb|php|lua|luajit|tclsh|osascript|rscript|python[\d.]*|pypy[\d.]*)$/i;

const runsAnything =
  /^(?:rm|shred|dd|mkfs(?:\..+)?|ssh|docker|podman|nerdctl|kubectl|find|fd|[gmn]?awk|eval|trap|source|\.|tmux|screen)$/;

const needsSubcommand = /^(?:git|npm|npx|pnpm|yarn|cargo|uv|pip[\d.]*|go)$/;
