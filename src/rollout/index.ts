export { appendLines } from "./append-lines.js";
export { archiveThread, deleteThread, type StoredThread, unarchiveThread } from "./archive.js";
export type { Bookmark } from "./bookmarks.js";
export {
  type ConversationOptions,
  type ReplayedConversation,
  readConversation,
} from "./conversation.js";
export { type Cursor, parseCursor } from "./cursor.js";
export { isUuid } from "./file-name.js";
export { findRollout } from "./find.js";
export { type ForkedConversation, type ForkPoint, forkConversation } from "./fork.js";
export { type ForkFileOptions, writeForkFile } from "./fork-file.js";
export { type Goal, readGoal, writeGoal } from "./goals.js";
export { ThreadIndex } from "./index-file.js";
export {
  type CompactedParts,
  type CompactionForm,
  collectUserMessages,
  contentText,
  toCompactedItems,
} from "./items/compacted.js";
export { isKeptItem } from "./items/keep-item.js";
export { isUserMessage, messageKind } from "./items/message-kind.js";
export { normalizeItems } from "./items/normalize.js";
export type { EventItem, RebuiltItem, RebuiltTurn } from "./items/rebuilt-turn.js";
export { lengthWithoutLastTurns } from "./items/rollback.js";
export { toTurnItem, webSearchQuery } from "./items/to-turn-item.js";
export { TurnBuilder } from "./items/turns.js";
export { type ListOptions, listThreads, type ThreadPage, type ThreadSummary } from "./list.js";
export { findThreadByName, readThreadNames, setThreadName } from "./names.js";
export { findOldFiles } from "./old-files.js";
export { rolloutPath } from "./path.js";
export { isPersistedEvent, toKeptEvent } from "./persist.js";
export type { RolloutVisitor } from "./read.js";
export { readThreadFacts } from "./read-facts.js";
export { readTurn, readTurnOutline, readTurns } from "./read-turns.js";
export { type RecorderOptions, RolloutRecorder } from "./recorder.js";
export { type StoredFile, walkStoredFiles } from "./stored-files.js";
export type { ThreadFacts } from "./thread-facts.js";
export { toTimeCursor } from "./time-cursor.js";
export type { TurnMark } from "./turn-marks.js";
export { visitConversation } from "./visit.js";
export type { RolloutDialect } from "./write-line.js";
export { writerLockPath } from "./writer-lock.js";
