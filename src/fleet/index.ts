export {
  type Answer,
  type At,
  announceEveryMs,
  type Broker,
  type BrokerFacts,
  type DirectoryEntry,
  FencedError,
  type Lease,
  type LeaseRecord,
  type LogBatch,
  type LogEntry,
  type SentSubmission,
  seqStep,
  UnreachableError,
  type WorkerInfo,
} from "./broker.js";
export { readBrokerOptions } from "./broker-options.js";
export type { BrokerOptions } from "./connection-options.js";
export { openBroker } from "./open-broker.js";
