import fc from "fast-check";
import { writeKey } from "../../../src/config/toml/key.js";
import { isTable, type Table } from "../../../src/config/toml/table.js";
import { writeValue } from "../../../src/config/write/write-value.js";

/** Names that a key can have, ordinary and odd ones. */
export const keys = fc.constantFrom(
  "a",
  "b",
  "c",
  "model",
  "x.y",
  "with blank",
  "ü",
  'q"uote',
  "#",
  "[z]",
);

const plain = fc.oneof(
  fc.constantFrom(
    "",
    "x",
    "# no comment",
    'say "hi"',
    "]",
    "}",
    "'''",
    '"""',
    "a\nb",
    "\\",
    "\u007f",
  ),
  fc.integer({ min: -1000, max: 1000 }),
  fc.boolean(),
  fc.constantFrom(1.5, -0.25),
);

/** Values that are no tables. */
export const plainValues = fc.oneof(plain, fc.array(plain, { maxLength: 3 }));

/** Tables as an editor may be given them. */
export const tables: fc.Arbitrary<Table> = fc.letrec<{ table: Table }>((tie) => ({
  table: fc.dictionary(keys, fc.oneof({ depthSize: "small" }, plainValues, tie("table")), {
    maxKeys: 4,
  }),
})).table;

/** Formats a table in one of many equivalent ways, with comments; `choose` selects it. */
export function renderToml(table: Table, choose: (count: number) => number): string {
  const lines: string[] = [];
  renderTable(table, [], lines, choose);
  return lines.join(choose(4) === 0 ? "\r\n" : "\n") + (choose(3) === 0 ? "" : "\n");
}

function renderTable(
  table: Table,
  path: readonly string[],
  lines: string[],
  choose: (count: number) => number,
): void {
  const later: [string, Table][] = [];
  for (const [key, value] of Object.entries(table)) {
    decorate(lines, choose);
    const tail = choose(3) === 0 ? ` # c${lines.length}` : "";
    const way = choose(6);
    if (!isTable(value)) lines.push(`${writeKey([key])} = ${renderPlain(value, choose)}${tail}`);
    else if (way < 2) lines.push(`${writeKey([key])} = ${writeValue(value)}${tail}`);
    else if (way < 4 && Object.keys(value).length > 0) renderDotted(value, [key], lines);
    else later.push([key, value]);
  }
  for (const [key, value] of later) {
    decorate(lines, choose);
    const inner = [...path, key];
    // A head may be left out when inner tables have theirs.
    const implied = Object.values(value).every(isTable) && Object.keys(value).length > 0;
    const tables = implied && choose(2) === 0;
    if (!tables) lines.push(`[ ${writeKey(inner)} ]`);
    if (tables) renderSections(value, inner, lines, choose);
    else renderTable(value, inner, lines, choose);
  }
}

function renderSections(
  table: Table,
  path: readonly string[],
  lines: string[],
  choose: (count: number) => number,
): void {
  for (const [key, value] of Object.entries(table)) {
    lines.push(`[${writeKey([...path, key])}]`);
    renderTable(value as Table, [...path, key], lines, choose);
  }
}

function renderDotted(table: Table, key: readonly string[], lines: string[]): void {
  for (const [name, value] of Object.entries(table)) {
    lines.push(
      `${writeKey([...key, name])
        .replaceAll(".", " . ")
        .replaceAll("x . y", "x.y")} = ${writeValue(value)}`,
    );
  }
}

function renderPlain(value: unknown, choose: (count: number) => number): string {
  if (Array.isArray(value) && choose(2) === 0) {
    return `[ # list ]\n${value.map((entry) => `  ${writeValue(entry)}, # "\n`).join("")}]`;
  }
  if (typeof value === "string" && choose(3) === 0 && !/["\\\r\n\u007f]/.test(value)) {
    return `"""\n${value}"""`;
  }
  return writeValue(value);
}

function decorate(lines: string[], choose: (count: number) => number): void {
  if (choose(4) === 0) lines.push("");
  if (choose(4) === 0) lines.push(`# comment ${lines.length} = [`);
}
