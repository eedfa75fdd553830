export { type HistoryMetadata, historyPath, readHistoryMetadata } from "./metadata.js";
