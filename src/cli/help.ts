import type { Command, CommandEntry, Option, Options } from "./command.js";
import { globalOptions } from "./options/global-options.js";
import { calledAs } from "./parse.js";

/** What `quire --help` prints: every verb, and the options that are used most. */
export function overviewText(root: Command): string {
  const often = ["config", "model", "profile", "sandbox", "ask-for-approval", "image", "cd"];
  const options = often.flatMap((name) => {
    const option = root.options[name];
    return option === undefined ? [] : [optionRow([name, option])];
  });
  return [
    `quire: ${root.summary}`,
    "",
    "Usage: quire [OPTIONS] [PROMPT]",
    "       quire [OPTIONS] COMMAND",
    "",
    "Commands:",
    ...columns((root.verbs ?? []).map(entryRow)),
    "",
    "Options:",
    ...columns([...options, ["-h, --help", "Print help; `quire COMMAND --help` says more"]]),
    "",
  ].join("\n");
}

/** What `quire COMMAND --help` prints. */
export function commandText(command: Command): string {
  const verbs = (command.verbs ?? []).map(entryRow);
  const own = { ...command.options, era: globalOptions.era, help: globalOptions.help };
  return [
    `${command.summary}.`,
    "",
    ...usageLines(command),
    ...(verbs.length === 0 ? [] : ["", "Commands:", ...columns(verbs)]),
    "",
    "Options:",
    ...columns(shownOptions(own).map(optionRow)),
    ...(command.details === undefined ? [] : ["", command.details]),
    "",
  ].join("\n");
}

/** How a command is typed, one line for each form. */
export function usageLines(command: Command): string[] {
  const operands = command.operands === undefined ? "" : ` ${command.operands}`;
  const forms = [`${calledAs(command)} [OPTIONS]${operands}`];
  if (command.verbs !== undefined) forms.push(`${calledAs(command)} COMMAND`);
  return forms.map((form, index) => `${index === 0 ? "Usage: " : "       "}${form}`);
}

/** The options that are told of; other spellings are not. */
export function shownOptions(options: Options): [string, Option][] {
  return Object.entries(options).filter(
    ([, { aliasOf, hidden }]) => aliasOf === undefined && !hidden,
  );
}

/** An option as it is typed, and what it is for. */
export function optionRow([name, option]: [string, Option]): readonly [string, string] {
  const short = option.short === undefined ? "    " : `-${option.short}, `;
  const value = option.type === "boolean" ? "" : ` ${option.value ?? "VALUE"}`;
  const choices = option.choices === undefined ? "" : `: ${option.choices.join(", ")}`;
  const fallback = typeof option.default === "string" ? ` [default: ${option.default}]` : "";
  return [`${short}--${name}${value}`, `${option.help}${choices}${fallback}`];
}

function entryRow({ name, aliases = [], summary }: CommandEntry): readonly [string, string] {
  return [[name, ...aliases].join(", "), summary];
}

/** Two columns; a left side that is too wide has a line of its own. */
function columns(rows: readonly (readonly [string, string])[]): string[] {
  const widths = rows.map(([left]) => left.length).filter((width) => width <= widest);
  const width = Math.max(...widths, 0);
  return rows.flatMap(([left, right]) => {
    if (left.length <= width) return [`  ${left.padEnd(width)}  ${right}`];
    return [`  ${left}`, `  ${" ".repeat(width)}  ${right}`];
  });
}

const widest = 30;
