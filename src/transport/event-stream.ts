import { Malformed } from "./channel.js";
import { LineSplitter, maxLineBytes } from "./ndjson.js";
import { parseMessage } from "./parse-message.js";

/** Media type of server-sent events. */
export const eventStreamType = "text/event-stream";

/**
 * Formats a message as a server-sent event. JSON never contains a raw newline, so one `data` line
 * is enough.
 */
export function toEvent(json: string, id?: string): string {
  return id === undefined ? `data: ${json}\n\n` : `id: ${id}\ndata: ${json}\n\n`;
}

/** Keeps proxies from closing an idle stream; readers skip it. */
export const keepAliveComment = ":\n\n";

/** Returns true if a request asks for server-sent events rather than lines. */
export function asksForEvents(accept: string | undefined): boolean {
  return accept?.split(",").some((one) => one.trim().startsWith(eventStreamType)) ?? false;
}

/** Callbacks of `EventStreamParser`. */
export interface EventStreamHandlers {
  onMessage(message: unknown, bytes: number): void;
  /** Called with the `id` of each event that has one. */
  onId(id: string): void;
}

/** Parses server-sent events whose data is JSON; named events are skipped. */
export class EventStreamParser {
  #handlers: EventStreamHandlers;
  #lines: LineSplitter;
  #data: string[] = [];
  #bytes = 0;
  #id: string | undefined;
  #isNamed = false;
  #problem: Malformed | undefined;

  constructor(handlers: EventStreamHandlers) {
    this.#handlers = handlers;
    // The limit applies to the message, without the field name before it.
    const limit = maxLineBytes + "data: ".length;
    this.#lines = new LineSplitter((line, bytes) => this.#read(line, bytes), { limit });
  }

  push(chunk: Uint8Array): void {
    this.#lines.push(chunk);
  }

  #read(line: string | Malformed, bytes: number): void {
    this.#bytes += bytes;
    if (line instanceof Malformed) {
      this.#problem = line;
      return;
    }
    if (line === "" || line === "\r") {
      this.#dispatch();
      return;
    }
    const colon = line.indexOf(":");
    const name = colon < 0 ? line : line.slice(0, colon);
    const value = fieldValue(line, colon);
    if (name === "data") this.#data.push(value);
    else if (name === "id") this.#id = value;
    else if (name === "event") this.#isNamed = value !== "message";
  }

  #dispatch(): void {
    const { onMessage, onId } = this.#handlers;
    const [data, bytes, problem] = [this.#data, this.#bytes, this.#problem];
    const [id, isNamed] = [this.#id, this.#isNamed];
    this.#data = [];
    this.#bytes = 0;
    this.#id = undefined;
    this.#isNamed = false;
    this.#problem = undefined;
    if (!isNamed && problem !== undefined) onMessage(problem, bytes);
    else if (!isNamed && data.length > 0) onMessage(parseMessage(data.join("\n")), bytes);
    if (id !== undefined) onId(id);
  }
}

function fieldValue(line: string, colon: number): string {
  if (colon < 0) return "";
  const start = line[colon + 1] === " " ? colon + 2 : colon + 1;
  return line.endsWith("\r") ? line.slice(start, -1) : line.slice(start);
}
