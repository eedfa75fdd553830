export { appendHistory, type HistoryAddition, type HistorySettings } from "./append.js";
export { type HistoryMetadata, historyPath, readHistoryMetadata } from "./metadata.js";
export { type HistoryLookup, readHistoryEntry } from "./read-entry.js";
export { readRecentHistory } from "./read-recent.js";
