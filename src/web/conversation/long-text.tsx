import { useSignal } from "@preact/signals";
import { CopyButton } from "../lib/copy-button.js";
import { sizeText } from "../lib/format.js";
import { Markdown } from "../markdown/markdown.js";
import type { Entry } from "../state/entries.js";
import { headLength } from "../state/live-text.js";

/** Markdown of an item, while it arrives and afterwards; a long one in steps. */
export function LongText({ entry, text }: { entry: Entry; text: string }) {
  const live = entry.live.value;
  entry.grown.value; // rendered again when the text has grown
  if (live === undefined) return <CompleteText text={text} />;
  if (live.tail === "") return <Markdown text={live.head} isGrowing />;
  return (
    <>
      <Markdown text={live.head} />
      {live.omitted > 0 && <p class="muted">… {sizeText(live.omitted)} more …</p>}
      <pre class="plain">{live.tail}</pre>
    </>
  );
}

function CompleteText({ text }: { text: string }) {
  const steps = useSignal(0);
  if (text.length <= headLength) return <Markdown text={text} />;
  const end = headLength + steps.value * stepLength;
  return (
    <>
      <Markdown text={text.slice(0, headLength)} />
      {Array.from({ length: steps.value }, (_, at) => (
        <pre key={at} class="plain piece">
          {text.slice(headLength + at * stepLength, headLength + (at + 1) * stepLength)}
        </pre>
      ))}
      <div class="row">
        {end < text.length && (
          <button
            type="button"
            class="button small"
            onClick={() => {
              steps.value++;
            }}
          >
            Show more ({sizeText(text.length - end)} left)
          </button>
        )}
        <CopyButton text={text} label="Copy all" />
      </div>
    </>
  );
}

const stepLength = 100 * 1024;
