// Spellings of one era or surface, for those who write to it.
export { type KeyedFileChange, toKeyedFileChange, toTaggedFileChange } from "./file-change.js";
export { type DataInputItem, toDataInputItem } from "./input-item.js";
export { type OkOrErr, toOkOrErr } from "./mcp-result.js";
export { withoutItemId } from "./response-item.js";
export { type TypedSandboxPolicy, toModePolicy, toTypePolicy } from "./sandbox-policy.js";
