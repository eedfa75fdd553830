export { type Channel, Malformed } from "./channel.js";
export { linkedChannels } from "./in-process.js";
export { maxLineBytes, readJsonLines, toJsonLine } from "./ndjson.js";
export { stdioChannel } from "./stdio.js";
