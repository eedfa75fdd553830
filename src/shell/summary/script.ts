import type { ParsedCommand } from "../../protocol/types.js";
import { parsePlainCommands } from "../plain-commands.js";
import { joinWords } from "../quote.js";
import { splitWords } from "../split.js";
import type { ParsedCommandRules } from "./rules.js";
import { isTrue, simplify } from "./simplify.js";
import { toStages } from "./stages.js";

/** Summarizes a shell script: stage by stage when it is plain, else as one `unknown`. */
export function parseScript(script: string, rules: ParsedCommandRules): ParsedCommand[] {
  const commands = parsePlainCommands(script, rules.words) ?? [];
  const kept = commands.filter((argv) => !rules.isFormatting(argv));
  if (kept.length === 0) return [{ type: "unknown", cmd: script }];

  const stages = toStages(kept, rules);
  const shown = stages.length > 1 ? simplify(stages.filter((stage) => !isTrue(stage))) : stages;
  const [only] = shown;
  if (only === undefined || shown.length > 1) return shown.map((stage) => stage.parsed);
  return [wordedWhole(only.parsed, script, commands.length > 1)];
}

/** A script that is one command in the end is shown as the user would type it. */
function wordedWhole(parsed: ParsedCommand, script: string, several: boolean): ParsedCommand {
  if (parsed.type === "unknown") return parsed;
  const words = splitWords(script) ?? [script];
  if (!several && !words.some((word) => /^(?:&&|\|\|?|;)$/.test(word))) {
    return { ...parsed, cmd: joinWords(words) };
  }
  // A read cut down by `sed -n` at the end of a pipe is about the lines, so the pipe is shown.
  const sedAt = words.findIndex((word, index) => word === "sed" && words[index + 1] === "-n");
  if (parsed.type === "read" && words.includes("|") && sedAt !== -1)
    return { ...parsed, cmd: script };
  return parsed;
}
