import type { RebuiltTurn } from "./rebuilt-turn.js";

/** A turn of which more may come, and what its lines have said so far. */
export interface OpenTurn {
  turn: RebuiltTurn;
  /** It was begun by an event of its own, not just by the message of the user. */
  explicit: boolean;
  /** The log says that a summary took the place of the conversation. */
  compacted: boolean;
  /** An item of the turn shows that. */
  toldCompaction: boolean;
  /** It begins with a review, which may have named it; the event that begins it is still to come. */
  review?: { turnId: string | undefined } | undefined;
}

/** Whether a turn is shown: one that only something of no account has opened is not. */
export function isWorthKeeping({ turn, explicit, compacted }: OpenTurn): boolean {
  return explicit || compacted || turn.itemCount > 0;
}
