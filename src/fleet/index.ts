export type { Broker, DirectoryEntry, LogBatch, LogEntry } from "./broker.js";
