import type { ReplayedConversation } from "../rollout/index.js";
import type { History } from "./history.js";
import type { SessionParts } from "./session-parts.js";

/** The responses that a client may come back to, also those that only the log still knows. */
export class Bookmarks {
  readonly #history: History;
  readonly #parts: Pick<SessionParts, "log" | "readConversation">;
  /** By where they ended in the log. */
  readonly #onlyRecorded = new Map<string, number>();

  constructor(history: History, parts: Pick<SessionParts, "log" | "readConversation">) {
    this.#history = history;
    this.#parts = parts;
  }

  /** Whether a turn can go on from that response. */
  has(responseId: string): boolean {
    return this.#history.has(responseId) || this.#onlyRecorded.has(responseId);
  }

  /** Goes back to where a response ended; the log says so, for whoever resumes from it. */
  async returnTo(responseId: string): Promise<void> {
    if (!this.#history.returnTo(responseId)) await this.#returnToRecorded(responseId);
    const replacement = [...this.#history.items];
    const payload = { message: "", replacement_history: replacement, response_id: responseId };
    this.#parts.log.append({ type: "compacted", payload });
  }

  /** Takes over those of a recorded conversation that its history cannot keep. */
  restore(bookmarks: ReplayedConversation["bookmarks"]): void {
    for (const [responseId, { length, end }] of bookmarks) {
      if (length === undefined) this.#onlyRecorded.set(responseId, end);
    }
  }

  /** What stood before a summary is no longer in memory, but it is in the log. */
  async #returnToRecorded(responseId: string): Promise<void> {
    const { path } = this.#parts.log;
    const end = this.#onlyRecorded.get(responseId);
    if (path === undefined || end === undefined) return;
    const { items } = await this.#parts.readConversation(path, end);
    this.#history.replace(items);
    this.#history.bookmark(responseId, []);
  }
}
