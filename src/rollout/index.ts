export { archiveThread, deleteThread, type StoredThread, unarchiveThread } from "./archive.js";
export {
  type ConversationOptions,
  type ReplayedConversation,
  readConversation,
} from "./conversation.js";
export { type Cursor, formatCursor, parseCursor, toTimeCursor } from "./cursor.js";
export { isUuid, parseRolloutFileName, rolloutPath } from "./file-name.js";
export { findRollout, type StoredFile, walkStoredFiles } from "./files.js";
export {
  type ForkedConversation,
  type ForkFileOptions,
  type ForkPoint,
  forkConversation,
  writeForkFile,
} from "./fork.js";
export type { ThreadFacts } from "./head.js";
export { factsOf, parentThreadOf, readHead, readThreadFacts } from "./head.js";
export { findOldFiles, visitConversation } from "./history-base.js";
export {
  type CompactedParts,
  type CompactionForm,
  collectUserMessages,
  contentText,
  toCompactedItems,
} from "./items/compacted.js";
export { lengthWithoutLastTurns, normalizeItems, unansweredCalls } from "./items/history.js";
export type { EventItem, RebuiltItem, RebuiltTurn } from "./items/rebuilt-turn.js";
export {
  isHistoryItem,
  isUserMessage,
  messageKind,
  toTurnItem,
  webSearchQuery,
} from "./items/response-item.js";
export { TurnBuilder } from "./items/turns.js";
export { type LastContext, readLastContext } from "./last-context.js";
export {
  type ListOptions,
  listSummaries,
  listThreads,
  type ThreadPage,
  type ThreadSummary,
  type WalkedThread,
  walkThreads,
} from "./list.js";

export type { RolloutBehavior } from "./persist.js";
export { isPersistedEvent, toPersistedEvent } from "./persist.js";
export type { Bookmark, TurnMark } from "./positions.js";
export type { RolloutVisitor } from "./read.js";
export { readTurn, readTurnOutline, readTurns } from "./read-turns.js";
export { readAgentThreads } from "./recorded-agents.js";
export { type RecorderOptions, RolloutRecorder } from "./recorder.js";
export { type SideUsage, toSideUsageEvent } from "./side-usage.js";
export {
  appendLines,
  findThreadByName,
  readThreadNames,
  setThreadName,
} from "./sidecar.js";
export { ThreadIndex } from "./thread-index.js";
export { appendToThread, ThreadWork } from "./thread-work.js";
export {
  type CheckpointMark,
  readTurnLines,
  readTurnTree,
  type TreeTurn,
  TurnTree,
} from "./turn-tree.js";
export {
  readFileTurns,
  readFileUsage,
  readUsage,
  readUsageFiles,
  type UsageOptions,
  type UsageRecord,
} from "./usage.js";
export { writerLockPath } from "./writer-lock.js";
