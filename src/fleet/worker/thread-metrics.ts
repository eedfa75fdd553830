import type { SentSubmission } from "../broker.js";
import type { HostServices } from "./host-services.js";

/** Counts a change of the lease of a thread. */
export function countLease(
  { metrics }: Pick<HostServices, "metrics">,
  change: "acquired" | "released" | "lost",
): void {
  metrics?.record("quire.fleet.lease.changes", 1, { "quire.lease.change": change });
}

/** Measures how long a submission was on its way; clocks of machines may differ. */
export function measureLag(
  { metrics, parts }: Pick<HostServices, "metrics" | "parts">,
  { sentAtMs }: SentSubmission,
): void {
  if (sentAtMs === undefined) return;
  const seconds = Math.max(0, parts.clock.now() - sentAtMs) / 1000;
  metrics?.record("quire.fleet.queue.lag", seconds);
}
