import type { Config } from "../config/index.js";
import { CodexError } from "../protocol/error.js";
import type { ResponseItem } from "../protocol/types.js";
import type { ReplayedConversation } from "../rollout/index.js";
import type { History } from "./history.js";
import type { SessionParts } from "./parts.js";
import type { TurnContext } from "./turn-context.js";

/** The session whose history bookmarks move. */
interface BookmarkedSession {
  readonly history: History;
  readonly parts: Pick<SessionParts, "log" | "provider" | "readConversation" | "findResponse">;
  readonly config: Config;
  readonly context: TurnContext;
  record(items: readonly ResponseItem[]): void;
  initialContext(): ResponseItem[];
  readonly settings: { recordChange(before: TurnContext): void };
}

/** Moves the session to where a response ended. It neither waits nor fails. */
export type ReturnTo = () => void;

/**
 * The responses that a turn can continue from: those in memory, those that only the log of the
 * session has, those of other conversations of the same home, and those that the provider stores.
 */
export class Bookmarks {
  readonly #session: BookmarkedSession;
  /** By where they ended in the log. */
  readonly #onlyRecorded = new Map<string, number>();

  constructor(session: BookmarkedSession) {
    this.#session = session;
  }

  /**
   * Finds where a response ended.
   *
   * Nothing has changed until the result is called. Throws when the response is unknown.
   */
  async find(responseId: string): Promise<ReturnTo> {
    const { history, parts, config } = this.#session;
    if (history.has(responseId)) return () => this.#returnInMemory(responseId);
    const end = this.#onlyRecorded.get(responseId);
    if (end !== undefined && parts.log.path !== undefined) {
      const { items } = await parts.readConversation(parts.log.path, end);
      return () => this.#continueFrom(responseId, items);
    }
    const found = await parts.findResponse(responseId, config.home);
    if (found !== undefined) return () => this.#continueElsewhere(responseId, found);
    if (parts.provider.store) return () => this.#continueStored(responseId);
    const message =
      `No response ${responseId} to continue from in this conversation, nor in any other ` +
      `recorded in ${config.home}. Set \`store = true\` for the model provider ` +
      `${parts.provider.id} to pass an id on that only the provider knows.`;
    throw new CodexError("not_found", message, { data: { response_id: responseId } });
  }

  /** Adds the bookmarks of a recorded conversation whose items the history no longer has. */
  restore(bookmarks: ReplayedConversation["bookmarks"]): void {
    for (const [responseId, { length, end }] of bookmarks) {
      if (length === undefined) this.#onlyRecorded.set(responseId, end);
    }
  }

  #returnInMemory(responseId: string): void {
    this.#session.history.returnTo(responseId);
    this.#record(responseId);
  }

  #continueFrom(responseId: string, items: readonly ResponseItem[]): void {
    const { history } = this.#session;
    history.replace(items);
    history.bookmark(responseId, []);
    this.#record(responseId);
  }

  /** Continues from another conversation. If its settings differ, the model gets ours. */
  #continueElsewhere(responseId: string, source: ReplayedConversation): void {
    const session = this.#session;
    session.history.replace(source.items);
    session.history.bookmark(responseId, []);
    this.#record(responseId, source.id);
    if (source.turnContext === undefined) return;
    const { cwd, approval_policy, sandbox_policy } = source.turnContext;
    session.settings.recordChange({ ...session.context, cwd, approval_policy, sandbox_policy });
  }

  /** Continues from a response that only the provider stores; the opening messages are sent after it. */
  #continueStored(responseId: string): void {
    const { history } = this.#session;
    history.replace([]);
    history.bookmarkStored(responseId);
    this.#record(responseId);
    this.#session.record(this.#session.initialContext());
  }

  /** Logs the response that the conversation continues from, so that a resume finds it. */
  #record(responseId: string, forkedFrom?: string): void {
    const { history, parts } = this.#session;
    const origin = forkedFrom === undefined ? {} : { forked_from_id: forkedFrom };
    const place = { response_id: responseId, ...origin };
    const payload = { message: "", replacement_history: [...history.items], ...place };
    parts.log.append({ type: "compacted", payload });
  }
}
