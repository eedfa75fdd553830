import type { InputItem } from "./items/input.js";
import type { ResponseItem } from "./items/response.js";
import type { SandboxPolicy } from "./policy.js";
import type { Duration } from "./sqeq/events/fields.js";
import type { CallToolResult } from "./sqeq/events/mcp.js";
import type { FileChange } from "./sqeq/events/patch.js";

/** A file change keyed by its kind, as versions before the end of 2025 write it. */
export type KeyedFileChange =
  | { add: { content: string } }
  | { delete: { content: string } }
  | { update: { unified_diff: string; move_path: string | null } };

/** Writes a file change as `{"add":{…}}`. */
export function toKeyedFileChange(change: FileChange): KeyedFileChange {
  switch (change.type) {
    case "add":
      return { add: { content: change.content } };
    case "delete":
      return { delete: { content: change.content } };
    case "update":
      return {
        update: { unified_diff: change.unified_diff, move_path: change.move_path ?? null },
      };
  }
}

/** Writes a file change as `{"type":"add",…}`, always with `move_path`. */
export function toTaggedFileChange(change: FileChange): FileChange {
  if (change.type !== "update") return change;
  return { ...change, move_path: change.move_path ?? null };
}

/** An MCP result keyed by the outcome of the call. */
export type OkOrErr = { Ok: CallToolResult } | { Err: string };

/** Writes an MCP result as `{"Ok":…}` or `{"Err":…}`, as versions of 2025 and 2026 do. */
export function toOkOrErr(result: CallToolResult | string): OkOrErr {
  return typeof result === "string" ? { Err: result } : { Ok: result };
}

/** Removes the id that the model assigned: rollouts and requests omit it. */
export function withoutItemId(item: ResponseItem): ResponseItem {
  if (!("id" in item) || item.id === undefined) return item;
  const { id: _, ...rest } = item;
  return rest;
}

/** An input item with its fields under `data`. */
export interface DataInputItem {
  type: string;
  data: Record<string, unknown>;
}

/** Writes an input item as JSON-RPC v1 does: `{"type":"localImage","data":{"path":…}}`. */
export function toDataInputItem(item: InputItem): DataInputItem {
  const { type, ...data } = item;
  return { type: type === "local_image" ? "localImage" : type, data };
}

/** A sandbox policy with the tag `type`, as versions since the end of 2025 write it. */
export type TypedSandboxPolicy = { type: SandboxPolicy["mode"] } & Record<string, unknown>;

/** Writes a sandbox policy with the tag `mode` and all settings; an empty list of roots is omitted. */
export function toModePolicy(policy: SandboxPolicy): SandboxPolicy {
  if (policy.mode !== "workspace-write") return policy;
  const roots = policy.writable_roots ?? [];
  return {
    mode: policy.mode,
    ...(roots.length > 0 && { writable_roots: roots }),
    network_access: policy.network_access ?? false,
    exclude_tmpdir_env_var: policy.exclude_tmpdir_env_var ?? false,
    exclude_slash_tmp: policy.exclude_slash_tmp ?? false,
  };
}

/** Writes a sandbox policy with the tag `type`. */
export function toTypePolicy(policy: SandboxPolicy): TypedSandboxPolicy {
  const { mode, ...rest } = toModePolicy(policy);
  return { type: mode, ...rest };
}

/** Converts milliseconds to a wire duration; negative values and NaN become zero. */
export function toDuration(ms: number): Duration {
  if (!(ms > 0)) return { secs: 0, nanos: 0 };
  const secs = Math.floor(ms / 1000);
  return { secs, nanos: Math.min(999_999_999, Math.round((ms - secs * 1000) * 1_000_000)) };
}

/** Converts a wire duration to milliseconds. */
export function toMilliseconds(duration: Duration): number {
  return duration.secs * 1000 + duration.nanos / 1_000_000;
}
