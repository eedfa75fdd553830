import { type Clock, systemClock } from "../lib/clock.js";

/** Milliseconds since the start of the process. It never jumps, so spans of time are measured with it. */
export const monotonicClock: Clock = { now: () => performance.now(), sleep: systemClock.sleep };
