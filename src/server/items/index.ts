export { reviewHint, reviewText } from "../../protocol/review-text.js";
export {
  endedCommand,
  endedFileChange,
  endedMcpCall,
  startedCommand,
  startedMcpCall,
  toDynamicCall,
  toFileChangeItem,
  toFileUpdateChanges,
} from "./calls.js";
export {
  toInputItem,
  toThreadItem,
  toUserMessageItem,
  toWebSearchItem,
} from "./messages.js";
