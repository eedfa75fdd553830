/** Lines and messages of a byte stream, for what reads one without being its peer. */
export { LineSplitter } from "../ndjson.js";
export { parseMessage } from "../parse-message.js";
