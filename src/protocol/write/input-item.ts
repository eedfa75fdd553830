import type { InputItem } from "../items/input.js";

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
