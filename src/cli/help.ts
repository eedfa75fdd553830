import type { Command, Option } from "./command.js";
import type { CommandEntry } from "./table.js";

/** What `quire --help` prints. */
export function overviewText(commands: readonly CommandEntry[]): string {
  const rows = commands.map(({ name, summary }) => [name, summary] as const);
  return [
    "quire: the Codex agent system, small and embeddable",
    "",
    "Usage: quire COMMAND [OPTIONS]",
    "",
    "Commands:",
    ...columns(rows),
    "",
    "Options:",
    ...columns([
      ["-h, --help", "Print this help, or that of a command"],
      ["-V, --version", "Print the version"],
    ]),
    "",
    "`quire COMMAND --help` says more.",
    "",
  ].join("\n");
}

/** What `quire COMMAND --help` prints. */
export function commandText(command: Command): string {
  const options = Object.entries(command.options).map(optionRow);
  const operands = command.operands === undefined ? "" : ` ${command.operands}`;
  return [
    `${command.summary}.`,
    "",
    `Usage: quire ${command.name} [OPTIONS]${operands}`,
    "",
    "Options:",
    ...columns([...options, ["-h, --help", "Print this help"]]),
    ...(command.details === undefined ? [] : ["", command.details]),
    "",
  ].join("\n");
}

function optionRow([name, option]: [string, Option]): readonly [string, string] {
  const short = option.short === undefined ? "    " : `-${option.short}, `;
  const value = option.type === "boolean" ? "" : ` ${option.value ?? "VALUE"}`;
  const fallback = typeof option.default === "string" ? ` [default: ${option.default}]` : "";
  return [`${short}--${name}${value}`, `${option.help}${fallback}`];
}

function columns(rows: readonly (readonly [string, string])[]): string[] {
  const width = Math.max(...rows.map(([left]) => left.length));
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`);
}
