export { appendHistory, type HistoryAddition, type HistorySettings } from "./append.js";
export {
  type HistoryLookup,
  type HistoryMetadata,
  historyPath,
  readHistoryEntry,
  readHistoryMetadata,
  readRecentHistory,
} from "./read-entry.js";
