import { isTable, type Table } from "../toml/table.js";
import type { Shape } from "./shape.js";

/** An invalid value: path, expectation and actual value. */
export interface Problem {
  path: string[];
  expected: string;
  got: string;
  /** Allowed values of an enum. */
  allowed: readonly string[] | undefined;
}

/** Result of checking values. */
export interface Findings {
  problems: Problem[];
  /** Unknown keys. */
  unknown: string[][];
  /** Unknown keys that are errors. */
  refused: string[][];
  /** Keys without effect that request something. */
  ignored: string[][];
}

/** Checks all values against the shape of the file, so that all errors are reported at once. */
export function checkValues(values: Table, shape: Shape): Findings {
  const findings: Findings = { problems: [], unknown: [], refused: [], ignored: [] };
  checkTable(values, shape, [], findings);
  return findings;
}

function checkTable(table: Table, shape: Shape, path: string[], findings: Findings): void {
  for (const [key, value] of Object.entries(table)) {
    const known = shape.keys !== undefined && Object.hasOwn(shape.keys, key);
    const inner = known ? shape.keys?.[key] : shape.entries;
    if (inner !== undefined) checkValue(value, inner, [...path, key], findings);
    else if (shape.open !== true && shape.any !== true) findings.unknown.push([...path, key]);
  }
}

function checkValue(value: unknown, shape: Shape, path: string[], findings: Findings): void {
  const member = shape.anyOf?.find((one) => isOfKind(value, one)) ?? shape;
  if (!isOfKind(value, member) || !isAllowed(value, member)) {
    const [expected, got] = [describeShape(shape), describeValue(value)];
    findings.problems.push({ path, expected, got, allowed: shape.enum });
  } else if (shape.ignored !== undefined) {
    if (shape.ignored !== true && !isQuiet(value, shape.ignored)) findings.ignored.push(path);
    // Its keys are not reported one by one, but a wrong type is.
    const { problems, refused } = findings;
    const ignoring: Findings = { problems, refused, unknown: [], ignored: [] };
    if (isTable(value)) checkTable(value, member, path, ignoring);
  } else if (isTable(value)) {
    const { strict } = shape;
    checkTable(value, member, path, strict ? { ...findings, unknown: findings.refused } : findings);
  } else if (Array.isArray(value) && member.items !== undefined) {
    for (const [index, entry] of value.entries()) {
      checkValue(entry, member.items, [...path, String(index)], findings);
    }
  }
}

/** Returns true if an ignored value requests nothing: it is listed, off, or empty. */
function isQuiet(value: unknown, quiet: readonly unknown[]): boolean {
  if (quiet.includes(value)) return true;
  if (value === false) return !quiet.includes(true);
  if (Array.isArray(value)) return value.length === 0;
  if (isTable(value)) return Object.values(value).every((one) => isQuiet(one, []));
  return typeof value === "string" && offWords.has(value);
}

const offWords: ReadonlySet<string> = new Set(["", "none", "off", "disabled"]);

function isOfKind(value: unknown, shape: Shape): boolean {
  if (shape.any === true) return true;
  if (shape.anyOf !== undefined) return shape.anyOf.some((one) => isOfKind(value, one));
  if (shape.items !== undefined) return Array.isArray(value);
  if (shape.keys !== undefined || shape.entries !== undefined) return isTable(value);
  if (shape.enum !== undefined) return typeof value === "string";
  if (shape.type === "integer") return Number.isSafeInteger(value);
  return typeof value === shape.type;
}

function isAllowed(value: unknown, shape: Shape): boolean {
  if (shape.enum !== undefined) return shape.enum.includes(value as string);
  if (typeof value !== "number") return true;
  if (shape.above !== undefined && !(value > shape.above)) return false;
  return value >= (shape.minimum ?? -Infinity) && value <= (shape.maximum ?? Infinity);
}

/** Describes the expectation, to follow "must be". */
function describeShape(shape: Shape): string {
  if (shape.anyOf !== undefined) return shape.anyOf.map(describeShape).join(" or ");
  if (shape.enum !== undefined) return `one of ${shape.enum.join(", ")}`;
  if (shape.items !== undefined) return `a list of ${kindOf(shape.items)}s`;
  if (shape.entries !== undefined) return `a table of ${kindOf(shape.entries)}s`;
  if (shape.keys !== undefined) return "a table";
  if (shape.type === "boolean") return "true or false";
  return `a ${kindOf(shape)}${rangeOf(shape)}`;
}

function kindOf(shape: Shape): string {
  if (shape.keys !== undefined || shape.entries !== undefined) return "table";
  if (shape.items !== undefined) return "list";
  if (shape.type === "integer") return "whole number";
  return shape.type ?? "string";
}

function rangeOf({ minimum, maximum, above }: Shape): string {
  if (above !== undefined) return ` above ${above}`;
  if (minimum !== undefined && maximum !== undefined) return ` from ${minimum} to ${maximum}`;
  return minimum === undefined ? "" : ` of at least ${minimum}`;
}

/** Describes a value, shortened for a message. */
function describeValue(value: unknown): string {
  if (isTable(value)) return "a table";
  if (Array.isArray(value)) return value.length === 0 ? "an empty list" : "a list";
  if (value instanceof Date) return `the date ${value.toISOString()}`;
  if (typeof value !== "string") return String(value);
  return JSON.stringify(value.length > longestShown ? `${value.slice(0, longestShown)}…` : value);
}

const longestShown = 60;
