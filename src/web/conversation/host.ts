import { signal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import type { ThreadView, TurnFacts } from "../state/thread-view.js";

/** What the conversation can ask of its surroundings; an exported file offers none of it. */
export interface ConversationHost {
  /** Buttons for a finished turn. */
  turnActions?(view: ThreadView, turn: TurnFacts): ComponentChildren;
  /** Asks for a rewind to before a turn. */
  rewind?(turnId: string): void;
  /** Shows a file as it is now. */
  viewFile?(path: string): void;
}

/** Width of the conversation, for parts that use more than its column. */
export const conversationWidth = signal(0);

export const host = signal<ConversationHost>({});
