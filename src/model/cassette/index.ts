export type { Cassette, CassetteHost } from "./cassette.js";
export { type RecordOptions, recordCassette } from "./record.js";
export { type ReplayedCassette, type ReplayOptions, replayCassette } from "./replay.js";
