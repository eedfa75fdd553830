import type { Command, CommandEntry, Option } from "../../src/cli/command.js";
import { exitCodes, exitMeanings } from "../../src/cli/exit-codes.js";
import { foreignCommands } from "../../src/cli/foreign-commands.js";
import { shownOptions, shownVerbs, usageLines } from "../../src/cli/help.js";
import { globalOptions } from "../../src/cli/options/global-options.js";
import { root } from "../../src/cli/table.js";
import { notice } from "./notice.js";

/** Writes `docs/cli.md`: every command with its options, from the program's own tables. */
export async function writeCliDocs(): Promise<string> {
  const sections = await Promise.all(shownVerbs(root).map((entry) => verbSections(entry, 2)));
  return `${[
    "# The command line",
    `<!-- ${notice} -->`,
    "`quire` alone works with you in the terminal; with a verb it does one thing. Options of a " +
      "conversation may stand in front of a verb: `quire -m MODEL exec TASK`. A prompt that begins " +
      "with a dash goes behind `--`.",
    "As `codex` the program prints `codex-cli VERSION` for `--version`, uses that name in its texts " +
      "and completions, and sends that version to clients and to the model's server. It runs so if " +
      "a link to it, `exec -a`, or a script that starts it is called `codex`; with `QUIRE_AS=codex` " +
      "in the environment; or with `--as codex`. `QUIRE_AS=codex@0.146.0` claims a version for " +
      "clients that expect one; the default is 0.166.0, or that of the era. A script that replaces " +
      "itself with `exec` is recognized only if a shell started it, so set `QUIRE_AS` in it.",
    "## Exit codes",
    table(["Code", "Meaning"], exitRows()),
    "`quire sandbox` ends with the exit code of the command it ran.",
    "## Options of every command",
    optionTable(shownOptions(globalOptions)),
    "`QUIRE_ERA` in the environment is the same as `--era`.",
    "## quire",
    root.summary.replace(/^./, (letter) => letter.toUpperCase()).concat("."),
    fenced(usageLines(root)),
    optionTable(shownOptions(root.options)),
    ...sections.flat(),
    "## Commands of Codex that are not here",
    "They end with exit code 2 and name what to use instead, also with `--help`; they are never " +
      "sent to the model. `quire -- WORD` sends a single word as a prompt.",
    table(
      ["Command", "Instead"],
      foreignCommands
        .filter(({ ofCodex }) => ofCodex !== false)
        .map(({ name, instead }) => [`\`${name}\``, `${instead}.`]),
    ),
  ].join("\n\n")}\n`;
}

function exitRows(): string[][] {
  return Object.entries(exitCodes).map(([name, code]) => [
    String(code),
    exitMeanings[name as keyof typeof exitCodes],
  ]);
}

async function verbSections(entry: CommandEntry, level: number): Promise<string[]> {
  const command = await entry.load();
  const inner = await Promise.all(shownVerbs(command).map((verb) => verbSections(verb, level + 1)));
  return [...section(command, entry, level), ...inner.flat()];
}

function section(command: Command, { aliases = [] }: CommandEntry, level: number): string[] {
  const options = shownOptions(command.options);
  const isSession = options.some(([name]) => name === "ask-for-approval");
  const own = isSession ? options.filter(([name]) => !Object.hasOwn(root.options, name)) : options;
  const others = aliases.map((alias) => `\`${alias}\``).join(", ");
  return [
    `${"#".repeat(level)} quire ${command.name}`,
    `${command.summary}.${others === "" ? "" : ` Also called ${others}.`}`,
    fenced(usageLines(command)),
    ...(own.length === 0 ? [] : [optionTable(own)]),
    ...(isSession ? ["It takes the options of `quire` too."] : []),
    ...(command.details === undefined ? [] : [fenced(command.details.split("\n"))]),
  ];
}

function optionTable(options: readonly [string, Option][]): string {
  const rows = options.map(([name, option]) => {
    const short = option.short === undefined ? "" : `-${option.short}, `;
    const value = option.type === "boolean" ? "" : ` ${option.value ?? "VALUE"}`;
    const choices = option.choices === undefined ? "" : `: ${option.choices.join(", ")}`;
    const fallback = typeof option.default === "string" ? ` (${option.default} when absent)` : "";
    const often = option.multiple ? " (may be given several times)" : "";
    return [`\`${short}--${name}${value}\``, `${option.help}${choices}${fallback}${often}`];
  });
  return table(["Option", "What it does"], rows);
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
}

function fenced(lines: readonly string[]): string {
  return ["```", ...lines, "```"].join("\n");
}
