import type { Simulated, Simulation } from "./simulate.js";

/** Machines that a fleet needs. */
export interface Needs {
  /** Memory and disk of each broker. */
  brokerMemoryBytes: number;
  brokerDiskBytes: number;
  /** Messages that the brokers store and deliver each second. */
  messagesPerSecond: number;
  /** Brokers of one cluster: 3 survive the loss of one. */
  brokers: number;
  /** Largest number of threads that a worker runs at a time. */
  threadsPerWorker: number;
}

/** Derives the machines from measurements of a simulation, and of one nats-server 2.9. */
export function needsOf({ load, store }: Simulated, { workers }: Simulation): Needs {
  const stored = load.appendsPerSecond + load.renewalsPerSecond;
  // Every worker watches all leases of its pool, and every append is read once by a gateway.
  const delivered = load.appendsPerSecond + load.renewalsPerSecond * workers;
  return {
    brokerMemoryBytes: baseBytes + store.subjects * bytesPerSubject,
    brokerDiskBytes: store.bytes + store.messages * bytesPerMessage,
    messagesPerSecond: stored + delivered,
    brokers: 3,
    threadsPerWorker: Math.ceil(load.mostLeases / workers),
  };
}

/** Memory of nats-server 2.9.10 without streams, and for each subject of a stream (100,000 subjects: 32 MB). */
const baseBytes = 20_000_000;
const bytesPerSubject = 330;
/** Record, headers and index of a stored message. */
const bytesPerMessage = 250;
