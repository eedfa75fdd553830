import type { CallToolResult } from "../mcp.js";

/** An MCP result that says by its name whether the call itself succeeded. */
export type OkOrErr = { Ok: CallToolResult } | { Err: string };

/** Writes an MCP result as `{"Ok":…}` or `{"Err":…}`, as versions of 2025 and 2026 do. */
export function toOkOrErr(result: CallToolResult | string): OkOrErr {
  return typeof result === "string" ? { Err: result } : { Ok: result };
}
