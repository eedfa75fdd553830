import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { ThreadRewindResponse } from "../../protocol/rpc/v2/rewind.js";
import { counted } from "../lib/format.js";
import { Dialog } from "../overlay/dialog.js";
import { closeOverlay } from "../overlay/overlay-state.js";
import type { ThreadView } from "../state/thread-view.js";
import { RewindFiles } from "./rewind-files.js";
import {
  messageOf,
  performRewind,
  previewRewind,
  type Rewind,
  type RewindPart,
} from "./rewind-steps.js";

/** Shows what a rewind would change, and asks for the part to rewind. */
export function RewindDialog({ view, rewind }: { view: ThreadView; rewind: Rewind }) {
  const preview = useSignal<ThreadRewindResponse | undefined>(undefined);
  const problem = useSignal("");
  const chosen = useSignal<RewindPart>("both");
  const isBusy = useSignal(false);
  const reporting = async (action: () => Promise<void>) => {
    try {
      await action();
    } catch (error) {
      problem.value = error instanceof Error ? error.message : String(error);
    }
  };
  useEffect(() => {
    void reporting(async () => {
      preview.value = await previewRewind(view, rewind);
    });
  }, [view, rewind]);
  const submit = ({ conflicts }: ThreadRewindResponse, what: RewindPart) =>
    reporting(async () => {
      isBusy.value = true;
      problem.value = "";
      try {
        const skipConflicts = what !== "chat" && conflicts.length > 0;
        await performRewind(view, rewind, { what, skipConflicts });
        closeOverlay();
      } finally {
        isBusy.value = false;
      }
    });
  const found = preview.value;
  const { title, button } = words[rewind.kind];
  // Without files there is one part; an undo restores what was rewound.
  const parts = rewind.kind === "undo" || found?.files.length === 0 ? [] : partChoices;
  const only = rewind.kind === "undo" ? (found?.what ?? "both") : "chat";
  const what = parts.length === 0 ? only : chosen.value;
  return (
    <Dialog label={title}>
      <form
        class="rewind"
        onSubmit={(event) => {
          event.preventDefault();
          if (found !== undefined && !isBusy.value) void submit(found, what);
        }}
      >
        <h2>{title}</h2>
        <Target view={view} rewind={rewind} />
        {found === undefined && problem.value === "" && <p class="muted">Comparing files…</p>}
        {found !== undefined && (
          <>
            {rewind.kind === "rewind" && (
              <p>
                {counted(found.numTurns, "turn")} {found.numTurns === 1 ? "leaves" : "leave"} the
                conversation and {found.numTurns === 1 ? "stays" : "stay"} in the tree of turns.
              </p>
            )}
            <RewindFiles preview={found} isUnchanged={what === "chat" && parts.length > 0} />
            {parts.length > 0 && (
              <fieldset class="parts">
                <legend class="facts">{title}</legend>
                {parts.map(([part, label]) => (
                  <label key={part} class="part">
                    <input
                      type="radio"
                      name="part"
                      value={part}
                      checked={chosen.value === part}
                      onChange={() => {
                        chosen.value = part;
                      }}
                    />
                    {label}
                  </label>
                ))}
              </fieldset>
            )}
          </>
        )}
        {problem.value !== "" && (
          <p class="problem" role="alert">
            {problem.value}
          </p>
        )}
        <div class="dialog-buttons">
          <button type="button" class="button" onClick={closeOverlay}>
            Cancel
          </button>
          <button
            type="submit"
            class="button primary"
            disabled={found === undefined || isBusy.value}
          >
            {button}
          </button>
        </div>
      </form>
    </Dialog>
  );
}

/** The message that a rewind returns to. */
function Target({ view, rewind }: { view: ThreadView; rewind: Rewind }) {
  if (rewind.kind === "undo") return null;
  const text = messageOf(view, rewind.turnId)?.text ?? "";
  if (text === "") return null;
  return (
    <p class="rewind-target">
      <span class="facts">{rewind.kind === "rewind" ? "To before" : "Continue after"}</span>
      <span class="clamped">{text}</span>
    </p>
  );
}

const words = {
  rewind: { title: "Rewind", button: "Rewind" },
  switch: { title: "Switch branch", button: "Switch" },
  undo: { title: "Undo the rewind", button: "Undo" },
};

const partChoices: readonly [RewindPart, string][] = [
  ["both", "The conversation and the files"],
  ["chat", "The conversation only"],
  ["files", "The files only"],
];
