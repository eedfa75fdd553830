import { nearest } from "../../lib/nearest.js";
import { CodexError } from "../../protocol/error.js";
import { writeKey } from "../toml/key.js";
import { lineOf } from "../toml/statements.js";
import type { Table } from "../toml/table.js";
import { checkValues, type Problem } from "./check-values.js";
import { fileShape } from "./shape.generated.js";
import { shapeAt } from "./shape.js";

/** Source of values, for messages. */
export interface Origin {
  /** File name, or text such as `-c` for other sources. */
  name: string;
  /** Text of the file, to find line numbers. */
  text?: string;
}

/**
 * Checks the values of one source; returns a line for each key without effect.
 *
 * Throws one error for all values of a wrong type, or for all unknown keys of a strict table.
 */
export function checkSource(values: Table, origin: Origin): string[] {
  const { problems, unknown, refused, ignored } = checkValues(values, fileShape);
  if (problems.length > 0) throw toError(problems, origin);
  if (refused.length > 0) throw toUnknownError(refused, origin);
  return [
    ...unknown.map((path) => unknownKey(path, origin)),
    ...ignored.map((path) => `${placeOf(path, origin)}: \`${writeKey(path)}\` has no effect here`),
  ];
}

/** Formats the warning about keys without effect: one message, however many there are. */
export function ignoredText(lines: readonly string[]): string {
  const [first = ""] = lines;
  if (lines.length === 1) return `A setting is ignored: ${first}`;
  return [`${lines.length} settings are ignored:`, ...lines.map((line) => `  ${line}`)].join("\n");
}

/** Returns the position of a key as `file:line`, or the source alone. */
export function placeOf(path: readonly string[], { name, text }: Origin): string {
  const line = text === undefined ? undefined : lineOf(text, path);
  return line === undefined ? name : `${name}:${line}`;
}

function unknownKey(path: readonly string[], origin: Origin): string {
  const parent = shapeAt(fileShape, path.slice(0, -1));
  const near = nearest(path.at(-1) ?? "", Object.keys(parent?.keys ?? {}));
  const hint =
    near === undefined ? "" : `; did you mean \`${writeKey([...path.slice(0, -1), near])}\`?`;
  return `${placeOf(path, origin)}: unknown key \`${writeKey(path)}\`${hint}`;
}

function toUnknownError(refused: readonly string[][], origin: Origin): CodexError {
  const lines = refused.map((path) => {
    const known = Object.keys(shapeAt(fileShape, path.slice(0, -1))?.keys ?? {}).join(", ");
    return `${unknownKey(path, origin)} (expected one of ${known})`;
  });
  const [key = []] = refused;
  const line = origin.text === undefined ? undefined : lineOf(origin.text, key);
  return new CodexError("config", lines.join("\n"), {
    data: { reason: "unknown", source: origin.name, key, line },
  });
}

function toError(problems: readonly Problem[], origin: Origin): CodexError {
  const lines = problems.map(
    ({ path, expected, got }) =>
      `${placeOf(path, origin)}: \`${writeKey(path)}\` must be ${expected}, not ${got}`,
  );
  const [first] = problems;
  return new CodexError("config", lines.join("\n"), {
    data: {
      reason: "type",
      source: origin.name,
      key: first?.path,
      line: origin.text === undefined ? undefined : lineOf(origin.text, first?.path ?? []),
      expected: first?.expected,
      got: first?.got,
      allowed: first?.allowed,
    },
  });
}
