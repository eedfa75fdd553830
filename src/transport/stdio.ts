import type { Readable, Writable } from "node:stream";
import { byteChannel } from "./byte-channel.js";
import type { Channel } from "./channel.js";

/** Newline-delimited JSON over a pair of byte streams: standard input and output, or pipes. */
export function stdioChannel(input: Readable, output: Writable): Channel {
  return byteChannel({ input, output, isLocal: true, hangUp: () => input.destroy() });
}
