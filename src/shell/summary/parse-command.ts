import type { ParsedCommand } from "../../protocol/types.js";
import { parsePlainCommands } from "../plain-commands.js";
import { joinWords, splitWords } from "../quote.js";
import { readPowerShellScript, readShellScript } from "../shell-argv.js";
import { readGetContent } from "./powershell.js";
import { defaultRules, type ParsedCommandRules } from "./rules.js";
import { isTrue, simplify, toStages } from "./stages.js";

/**
 * Summarizes a command for display.
 *
 * The summary is lossy and must not be used for decisions: use the safety lists for that.
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

/** Returns the words of a command given as words, although it may have been meant as a line. */
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

/** Summarizes a shell script: by stages if it is plain, else as one `unknown`. */
function parseScript(script: string, rules: ParsedCommandRules): ParsedCommand[] {
  const commands = parsePlainCommands(script, rules.words) ?? [];
  const kept = commands.filter((argv) => !rules.isFormatting(argv));
  if (kept.length === 0) return [{ type: "unknown", cmd: script }];

  const stages = toStages(kept, rules);
  const shown = stages.length > 1 ? simplify(stages.filter((stage) => !isTrue(stage))) : stages;
  const [only] = shown;
  if (only === undefined || shown.length > 1) return shown.map((stage) => stage.parsed);
  return [wordedWhole(only.parsed, script, commands.length > 1)];
}

/** Shows a script that comes down to one command as the user would type it. */
function wordedWhole(parsed: ParsedCommand, script: string, several: boolean): ParsedCommand {
  if (parsed.type === "unknown") return parsed;
  const words = splitWords(script) ?? [script];
  if (!several && !words.some((word) => /^(?:&&|\|\|?|;)$/.test(word))) {
    return { ...parsed, cmd: joinWords(words) };
  }
  // A read limited by `sed -n` at the end of a pipe is about the lines, so the pipe is shown.
  const sedAt = words.findIndex((word, index) => word === "sed" && words[index + 1] === "-n");
  if (parsed.type === "read" && words.includes("|") && sedAt !== -1)
    return { ...parsed, cmd: script };
  return parsed;
}
