export { reviewHint, reviewText } from "../../../protocol/review-text.js";
export { endedCommand, startedCommand } from "./command.js";
export { toDynamicCall } from "./dynamic-call.js";
export { endedFileChange, toFileChangeItem, toFileUpdateChanges } from "./file-change.js";
export { endedMcpCall, startedMcpCall } from "./mcp-call.js";
export { toThreadItem, toWebSearchItem } from "./turn-item.js";
export { toInputItem, toUserMessageItem } from "./user-message.js";
