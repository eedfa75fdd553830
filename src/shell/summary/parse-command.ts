import type { ParsedCommand } from "../../protocol/types.js";
import { joinWords } from "../quote.js";
import { readPowerShellScript, readShellScript } from "../shell-argv.js";
import { splitWords } from "../split.js";
import { readGetContent } from "./powershell.js";
import { defaultRules, type ParsedCommandRules } from "./rules.js";
import { parseScript } from "./script.js";
import { simplify } from "./simplify.js";
import { toStages } from "./stages.js";

/**
 * Says in a few words what a command does, for showing it to a person.
 *
 * The summary is lossy on purpose and must not decide anything: use the safety lists for that.
 */
export function parseCommand(
  argv: readonly string[],
  rules: ParsedCommandRules = defaultRules,
): ParsedCommand[] {
  const parsed = withoutRepeats(parseAny(argv, rules));
  if (!rules.unknownTakesAll || !parsed.some((command) => command.type === "unknown"))
    return parsed;
  const script = readShellScript(argv)?.script ?? readPowerShellScript(argv);
  return [{ type: "unknown", cmd: script ?? joinWords(argv) }];
}

function parseAny(argv: readonly string[], rules: ParsedCommandRules): ParsedCommand[] {
  const script = scriptOf(argv, rules);
  if (script !== undefined) return parseScript(script, rules);
  if (rules.powerShell !== "argv") {
    const powerShell = readPowerShellScript(argv);
    const read =
      rules.powerShell === "reads" && powerShell ? readGetContent(powerShell) : undefined;
    if (powerShell !== undefined) return [read ?? { type: "unknown", cmd: powerShell }];
  }
  const stages = toStages(splitOnConnectors(argvWords(argv)), rules);
  return simplify(stages).map((stage) => stage.parsed);
}

function scriptOf(argv: readonly string[], rules: ParsedCommandRules): string | undefined {
  if (rules.shells === "bash -lc" && (argv[0] !== "bash" || argv[1] !== "-lc")) return undefined;
  return readShellScript(argv)?.script;
}

/** The words of a command that came as words, though it may have been meant as a line. */
function argvWords(argv: readonly string[]): readonly string[] {
  if (/^(?:yes|y|no|n)$/.test(argv[0] ?? "") && argv[1] === "|") return argv.slice(2);
  if (argv.length === 3 && argv[0] === "bash" && argv[1] === "-c") {
    return splitWords(argv[2] ?? "") ?? argv;
  }
  return argv;
}

function splitOnConnectors(words: readonly string[]): string[][] {
  const commands: string[][] = [];
  let current: string[] = [];
  for (const word of words) {
    if (!isConnector(word)) {
      current.push(word);
    } else if (current.length > 0) {
      commands.push(current);
      current = [];
    }
  }
  if (current.length > 0 || words.length === 0) commands.push(current);
  return commands;
}

function isConnector(word: string): boolean {
  return word === "&&" || word === "||" || word === "|" || word === ";";
}

function withoutRepeats(commands: readonly ParsedCommand[]): ParsedCommand[] {
  return commands.filter(
    (command, index) =>
      index === 0 || JSON.stringify(command) !== JSON.stringify(commands[index - 1]),
  );
}
