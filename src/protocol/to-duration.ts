import type { Duration } from "./duration.js";

/** Milliseconds as the wire writes a length of time; what is negative or no number counts as zero. */
export function toDuration(ms: number): Duration {
  if (!(ms > 0)) return { secs: 0, nanos: 0 };
  const secs = Math.floor(ms / 1000);
  return { secs, nanos: Math.min(999_999_999, Math.round((ms - secs * 1000) * 1_000_000)) };
}

/** The same length of time in milliseconds. */
export function toMilliseconds(duration: Duration): number {
  return duration.secs * 1000 + duration.nanos / 1_000_000;
}
