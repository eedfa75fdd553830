import type { Entry } from "../../inspect/index.js";
import { CopyButton } from "../lib/copy-button.js";
import { labelOf } from "./message-list.js";
import { selected } from "./messages.js";

/** The selected message as a whole, with its problems. */
export function MessageDetails({ entry }: { entry: Entry }) {
  const { from, kind, bytes, problems, notes, body } = entry;
  const text = typeof body === "string" ? body : (JSON.stringify(body, null, 2) ?? "");
  return (
    <aside class="panel own-keys" aria-label="Selected message">
      <div class="panel-head">
        <h2 class="grow mono inspect-title">{labelOf(entry)}</h2>
        <CopyButton text={text} />
        <button
          type="button"
          class="ghost small"
          onClick={() => {
            selected.value = undefined;
          }}
        >
          Close
        </button>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it */}
      <section class="panel-content" tabIndex={0} aria-label="Content of the message">
        <p class="facts">
          {kind} from the {from} · {bytes} bytes · {(entry.ms / 1000).toFixed(3)} s
        </p>
        {problems.map((problem) => (
          <p key={problem} class="problem">
            {problem}
          </p>
        ))}
        {notes.map((note) => (
          <p key={note} class="facts">
            {note}
          </p>
        ))}
        <pre class="inspect-json">{text}</pre>
      </section>
    </aside>
  );
}
