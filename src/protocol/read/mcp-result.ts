import { isRecord, renameFields, withoutNulls } from "./record.js";

/** Brings an MCP result into the one form, unchecked: the result itself, or the error as text. */
export function toMcpResult(value: unknown): unknown {
  if (!isRecord(value)) return value;
  if (Object.hasOwn(value, "Ok")) return toMcpResult(value.Ok);
  if (Object.hasOwn(value, "Err")) return value.Err;
  return renameFields(withoutNulls(value), fieldNames);
}

const fieldNames = { is_error: "isError", structured_content: "structuredContent" };
