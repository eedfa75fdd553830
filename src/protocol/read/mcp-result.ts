import { changeFields, isRecord, renameFields } from "./record.js";

/** Brings an MCP result into the one form, unchecked: the result itself, or the error as text. */
export function toMcpResult(value: unknown): unknown {
  if (!isRecord(value)) return value;
  if (Object.hasOwn(value, "Ok")) return toMcpResult(value.Ok);
  if (Object.hasOwn(value, "Err")) return value.Err;
  const isNoFlag = (name: string, field: unknown) => name === "isError" && field === null;
  return changeFields(renameFields(value, fieldNames), (name, field) =>
    isNoFlag(name, field) ? undefined : field,
  );
}

const fieldNames = { is_error: "isError", structured_content: "structuredContent" };
