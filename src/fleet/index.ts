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
export { openBroker } from "./open-broker.js";
