import type { Command, CommandEntry, Option, OptionGroup, Options } from "./command.js";
import { globalOptions } from "./options/global-options.js";
import { calledAs } from "./parse.js";

/** Formats `quire --help`: all commands and options. */
export function overviewText(root: Command, width = usualWidth): string {
  return [
    `quire: ${root.summary}`,
    "",
    "Usage: quire [OPTIONS] [PROMPT]",
    "       quire [OPTIONS] COMMAND",
    "",
    "Commands:",
    ...columns(shownVerbs(root).map(entryRow), width),
    ...optionBlocks(shownOptions({ ...root.options, ...globalOptions }), width),
    "",
    "Run `quire COMMAND --help` for the options of a command.",
    "",
  ].join("\n");
}

/** Formats `quire COMMAND --help`. */
export function commandText(command: Command, width = usualWidth): string {
  const verbs = shownVerbs(command).map(entryRow);
  const own = { ...command.options, era: globalOptions.era, help: globalOptions.help };
  return [
    `${command.summary}.`,
    "",
    ...usageLines(command),
    ...(verbs.length === 0 ? [] : ["", "Commands:", ...columns(verbs, width)]),
    ...optionBlocks(shownOptions(own), width),
    ...(command.details === undefined ? [] : ["", ...paragraphs(command.details, width)]),
    "",
  ].join("\n");
}

/** Returns the usage lines of a command. */
export function usageLines(command: Command): string[] {
  const operands = command.operands === undefined ? "" : ` ${command.operands}`;
  const forms = [`${calledAs(command)} [OPTIONS]${operands}`];
  if (command.verbs !== undefined) forms.push(`${calledAs(command)} [OPTIONS] COMMAND`);
  return forms.map((form, index) => `${index === 0 ? "Usage: " : "       "}${form}`);
}

/** Returns the subcommands for help and completions. */
export function shownVerbs({ verbs = [] }: Command): readonly CommandEntry[] {
  return verbs.filter(({ hidden }) => !hidden);
}

/** Returns the options for help and completions, without aliases and hidden ones. */
export function shownOptions(options: Options): [string, Option][] {
  return Object.entries(options).filter(
    ([, { aliasOf, hidden }]) => aliasOf === undefined && !hidden,
  );
}

/** Formats options by group, the most used ones first, in the same columns. */
function optionBlocks(options: readonly [string, Option][], width: number): string[] {
  const first = firstColumn(options.map(optionRow));
  return headings.flatMap(([heading, group]) => {
    const rows = options.filter(([, option]) => option.group === group).map(optionRow);
    return rows.length === 0 ? [] : ["", `${heading}:`, ...columns(rows, width, first)];
  });
}

const headings: readonly (readonly [string, OptionGroup | undefined])[] = [
  ["Options", undefined],
  ["Permissions", "permissions"],
  ["Access", "access"],
  ["Limits", "limits"],
  ["Settings", "settings"],
];

/** Returns an option as typed, and its description. */
function optionRow([name, option]: [string, Option]): Row {
  const short = option.short === undefined ? "    " : `-${option.short}, `;
  const value = option.type === "boolean" ? "" : ` ${option.value ?? "VALUE"}`;
  const choices = option.choices === undefined ? "" : `: ${option.choices.join(", ")}`;
  const fallback = typeof option.default === "string" ? ` [default: ${option.default}]` : "";
  return [`${short}--${name}${value}`, `${option.help}${choices}${fallback}`];
}

function entryRow({ name, summary }: CommandEntry): Row {
  return [name, summary];
}

/** Formats two columns; a left side that is too wide gets a separate line. */
function columns(rows: readonly Row[], width: number, first = firstColumn(rows)): string[] {
  const blank = " ".repeat(first + 4);
  return rows.flatMap(([left, right]) => {
    const lines = wrapped(right, width - first - 4);
    const begin =
      left.length <= first ? `  ${left.padEnd(first)}  ${lines.shift() ?? ""}` : `  ${left}`;
    return [begin, ...lines.map((line) => `${blank}${line}`)];
  });
}

type Row = readonly [string, string];

function firstColumn(rows: readonly Row[]): number {
  return Math.max(...rows.map(([left]) => left.length).filter((length) => length <= widest), 0);
}

const widest = 30;
const usualWidth = 80;

/** Wraps text to the width; keeps indented lines. */
function paragraphs(text: string, width: number): string[] {
  return text
    .split(/\n(?=\s)|(?<=\n\s.*)\n/)
    .flatMap((part) => (/^\s/.test(part) ? [part] : wrapped(part.replaceAll("\n", " "), width)));
}

function wrapped(text: string, width: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(" ")) {
    const last = lines.at(-1);
    if (last === undefined || last.length + 1 + word.length > width) lines.push(word);
    else lines[lines.length - 1] = `${last} ${word}`;
  }
  return lines;
}
