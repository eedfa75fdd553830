import { openRewind } from "../overlay/overlay-state.js";
import type { ThreadView } from "../state/thread-view.js";

/** Reports a rewind of this or another device, until the next turn; it can be taken back here. */
export function RewoundBar({ view }: { view: ThreadView }) {
  const rewound = view.rewound.value;
  if (rewound === undefined) return null;
  const thing = { chat: "conversation", files: "files", both: "conversation and the files" };
  const { kind, what } = rewound;
  const text =
    kind === "undo"
      ? "The rewind was taken back"
      : kind === "switch"
        ? "This is another branch of the conversation now"
        : `The ${thing[what]} ${what === "chat" ? "was" : "were"} rewound`;
  return (
    <div class="rewound row" role="status" aria-label="Rewind">
      <span class="grow">{text}</span>
      {kind !== "undo" && (
        <button type="button" class="ghost small" onClick={() => openRewind({ kind: "undo" })}>
          Undo
        </button>
      )}
      <button
        type="button"
        class="ghost small"
        onClick={() => {
          view.rewound.value = undefined;
        }}
      >
        Dismiss
      </button>
    </div>
  );
}
