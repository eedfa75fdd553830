import type { Channel } from "../transport/index.js";
import type { Entry } from "./entry.js";

/** Facts about an inspection, for the page. */
export interface InspectionState {
  /** Command or address of the server. */
  server: string;
  era: string | null;
  /** Messages so far, and how many of them were invalid. */
  messages: number;
  invalid: number;
  /** Set when the conversation has ended. */
  ended: string | null;
}

/** Message of the inspector to its page. */
export type PageMessage =
  | { type: "state"; state: InspectionState }
  | {
      type: "entries";
      entries: Entry[] /** Entries before them that are not retained. */;
      skipped: number;
    };

/**
 * Retains the last entries, and sends them to the pages that are open.
 *
 * Each page has its own position, so a slow one skips entries instead of filling the memory.
 */
export class PageFeed {
  readonly #state: InspectionState;
  #texts: { n: number; text: string }[] = [];
  #bytes = 0;
  readonly #pages = new Map<Channel, { next: number; stated: string }>();
  #timer: NodeJS.Timeout | undefined;

  constructor(state: InspectionState) {
    this.#state = state;
  }

  add(entry: Entry): void {
    const text = JSON.stringify(shortened(entry));
    this.#texts.push({ n: entry.n, text });
    this.#bytes += text.length;
    while (this.#texts.length > maxEntries || this.#bytes > maxBytes) {
      this.#bytes -= this.#texts.shift()?.text.length ?? 0;
    }
    this.update();
  }

  /** Sends the state, after a change of it. */
  update(): void {
    if (this.#pages.size === 0) return;
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      for (const [channel] of this.#pages) this.#send(channel);
    }, sendEveryMs).unref();
  }

  /** Serves a page until it disconnects; what it sends is ignored. */
  async serve(channel: Channel): Promise<void> {
    this.#pages.set(channel, { next: 1, stated: "" });
    this.#send(channel);
    for await (const _ of channel.incoming);
    this.#pages.delete(channel);
    await channel.close();
  }

  /** Sends what is pending and closes the pages. */
  async close(): Promise<void> {
    clearTimeout(this.#timer);
    const channels = [...this.#pages.keys()];
    for (const channel of channels) this.#send(channel);
    await Promise.all(channels.map((channel) => channel.close()));
  }

  #send(channel: Channel): void {
    const page = this.#pages.get(channel);
    if (page === undefined) return;
    const stated = JSON.stringify({ type: "state", state: this.#state });
    if (page.stated !== stated) channel.sendText(stated);
    page.stated = stated;
    if (channel.backlog > maxBacklog) {
      this.update(); // tries again when the page has read
      return;
    }
    const first = this.#texts[0]?.n ?? page.next;
    const skipped = Math.max(0, first - page.next);
    const fresh = this.#texts.slice(Math.max(0, page.next - first));
    if (fresh.length === 0) return;
    const batch = fresh.slice(0, maxBatch);
    page.next = (batch.at(-1)?.n ?? page.next) + 1;
    const list = batch.map(({ text }) => text).join(",");
    channel.sendText(`{"type":"entries","skipped":${skipped},"entries":[${list}]}`);
    if (batch.length < fresh.length) this.update();
  }
}

/** A page shows the beginning of a long message. */
function shortened(entry: Entry): Entry {
  const text = JSON.stringify(entry.body) ?? "";
  if (text.length <= maxBodyChars) return entry;
  const notes = [
    ...entry.notes,
    `The page has the first ${maxBodyChars} characters of the message`,
  ];
  return { ...entry, body: `${text.slice(0, maxBodyChars)}…`, notes };
}

const maxEntries = 2000;
const maxBytes = 8 * 1024 * 1024;
const maxBodyChars = 32 * 1024;
const maxBatch = 500;
const maxBacklog = 1024 * 1024;
const sendEveryMs = 50;
