import { CodexError } from "../../protocol/error.js";
import type { Shape } from "../check/shape.js";
import { quoteText, writeKey } from "../toml/key.js";
import { isTable } from "../toml/table.js";

/** Formats a value on one line; the shape determines if a number is fractional. */
export function writeValue(value: unknown, shape?: Shape): string {
  if (typeof value === "string") return quoteText(value);
  if (typeof value === "boolean" || typeof value === "bigint") return String(value);
  if (typeof value === "number") return writeNumber(value, shape);
  if (value instanceof Date) return value.toISOString();
  if (Array.isArray(value)) {
    return `[${value.map((entry) => writeValue(entry, shape?.items)).join(", ")}]`;
  }
  if (isTable(value)) return writeInlineTable(value);
  throw new CodexError("config", `A value of type ${typeof value} cannot be written to a setting`);
}

function writeInlineTable(table: Record<string, unknown>): string {
  const entries = Object.entries(table).map(
    ([key, value]) => `${writeKey([key])} = ${writeValue(value)}`,
  );
  return entries.length === 0 ? "{}" : `{ ${entries.join(", ")} }`;
}

function writeNumber(value: number, shape: Shape | undefined): string {
  if (Number.isNaN(value)) return "nan";
  if (!Number.isFinite(value)) return value > 0 ? "inf" : "-inf";
  if (!Number.isInteger(value)) return String(value);
  const digits = Number.isSafeInteger(value) ? String(value) : String(BigInt(value));
  return shape?.type === "number" ? `${digits}.0` : digits;
}
