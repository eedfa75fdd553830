import { Icon } from "../lib/icon.js";
import { openRewind } from "../overlay/overlay-state.js";
import { forkThread } from "../state/actions.js";
import type { ThreadView, TurnFacts } from "../state/thread-view.js";

/** Buttons of the live page for a finished turn. */
export function TurnActions({ view, turn }: { view: ThreadView; turn: TurnFacts }) {
  return (
    <>
      <button
        type="button"
        class="ghost small"
        onClick={() => forkThread(view, { lastTurnId: turn.id })}
      >
        <Icon name="fork" />
        Fork from here
      </button>
      <button
        type="button"
        class="ghost small"
        onClick={() => openRewind({ kind: "rewind", turnId: turn.id })}
      >
        <Icon name="rewind" />
        Rewind
      </button>
    </>
  );
}
