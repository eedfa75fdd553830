/** Declaration of a metric. */
interface Metric {
  kind: "counter" | "histogram" | "gauge";
  unit: string;
  /** Description in one sentence. */
  text: string;
  /** Upper bounds of the buckets of a histogram. */
  bounds?: readonly number[];
}

/** Bounds of durations in seconds, as the GenAI conventions recommend them. */
const seconds = [
  0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92,
];

/** Bounds of token counts, as the GenAI conventions recommend them. */
const tokens = [
  1, 4, 16, 64, 256, 1024, 4096, 16384, 65536, 262144, 1048576, 4194304, 16777216, 67108864,
];

/** Every metric by name. Names that start with `gen_ai.` are those of the GenAI conventions. */
export const metrics = {
  "gen_ai.client.token.usage": {
    kind: "histogram",
    unit: "{token}",
    text: "Tokens of a request to the model, by `gen_ai.token.type`.",
    bounds: tokens,
  },
  "gen_ai.client.operation.duration": {
    kind: "histogram",
    unit: "s",
    text: "Duration of a turn, a request to the model or a tool call, by `gen_ai.operation.name`.",
    bounds: seconds,
  },
  "gen_ai.client.operation.time_to_first_chunk": {
    kind: "histogram",
    unit: "s",
    text: "Time from a request to the first piece of the response.",
    bounds: seconds,
  },
  "quire.turn.count": {
    kind: "counter",
    unit: "{turn}",
    text: "Turns that ended, by `quire.turn.status`.",
  },
  "quire.session.active": { kind: "gauge", unit: "{session}", text: "Live sessions." },
  "quire.fleet.queue.lag": {
    kind: "histogram",
    unit: "s",
    text: "Time that a message waited on the broker.",
    bounds: seconds,
  },
  "quire.fleet.queue.pending": {
    kind: "gauge",
    unit: "{message}",
    text: "Messages that wait on the broker.",
  },
  "quire.fleet.lease.changes": {
    kind: "counter",
    unit: "{change}",
    text: "Leases of threads that were acquired, lost or released, by `quire.lease.change`.",
  },
  "quire.fleet.leases": { kind: "gauge", unit: "{lease}", text: "Leases that this worker holds." },
} as const satisfies Record<string, Metric>;

/** Name of a metric. */
export type MetricName = keyof typeof metrics;
