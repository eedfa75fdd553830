import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { plainText, withColors } from "../lib/ansi.js";
import { CopyButton } from "../lib/copy-button.js";
import { counted } from "../lib/format.js";

/** The last lines of output while it arrives, in a window that does not grow. */
export function LiveOutput({ text }: { text: string }) {
  if (text === "") return null;
  const lines = text.slice(-20_000).replace(/\n$/, "").split("\n").slice(-liveLines);
  return <pre class="output live">{withColors(lines.join("\n"))}</pre>;
}

/** Output of a command: the beginning and the end, all of it with a search on request. */
export function Output({ text }: { text: string }) {
  const isOpen = useSignal(false);
  if (text.trim() === "") return null;
  const shown = text.slice(0, mostOutput).replace(/\n$/, "");
  const lines = shown.split("\n");
  const isShort = lines.length <= headLines + tailLines + 2 && text.length < 4000;
  if (isShort) return <pre class="output">{withColors(shown)}</pre>;
  const toggle = () => {
    isOpen.value = !isOpen.value;
  };
  if (isOpen.value) return <AllOutput text={text} shown={shown} onClose={toggle} />;
  const clip = (line: string) => (line.length > 600 ? `${line.slice(0, 600)}…` : line);
  const hidden = lines.length - headLines - tailLines;
  return (
    <div class="folded-output">
      <pre class="output">{withColors(lines.slice(0, headLines).map(clip).join("\n"))}</pre>
      <button type="button" class="ghost small more" aria-expanded="false" onClick={toggle}>
        {hidden > 0 ? `⋯ ${counted(hidden, "more line")}` : "Show all"}
      </button>
      {hidden > 0 && (
        <pre class="output">{withColors(lines.slice(-tailLines).map(clip).join("\n"))}</pre>
      )}
    </div>
  );
}

function AllOutput({ text, shown, onClose }: { text: string; shown: string; onClose(): void }) {
  const box = useRef<HTMLPreElement>(null);
  const term = useSignal("");
  const at = useSignal(0);
  const plain = term.value === "" ? "" : plainText(shown);
  const hits = term.value === "" ? [] : findAll(plain, term.value);
  const chosen = hits.length === 0 ? 0 : at.value % hits.length;
  useEffect(() => {
    box.current?.querySelector(".chosen")?.scrollIntoView({ block: "nearest" });
  });
  const cut = text.length > mostOutput ? "\n… the rest is too long to show" : "";
  return (
    <div class="folded-output">
      <div class="row output-tools">
        <button type="button" class="ghost small" aria-expanded="true" onClick={onClose}>
          Show less
        </button>
        <CopyButton text={text} />
        <input
          type="search"
          class="output-search"
          aria-label="Search in output"
          placeholder="Search in output"
          value={term.value}
          onInput={(event) => {
            term.value = event.currentTarget.value;
            at.value = 0;
          }}
          onKeyDown={(event) => {
            if (event.key !== "Enter" || hits.length === 0) return;
            event.preventDefault();
            at.value = (chosen + (event.shiftKey ? hits.length - 1 : 1)) % hits.length;
          }}
        />
        {term.value !== "" && (
          <span class="facts" role="status">
            {hits.length === 0 ? "Nothing found" : `${chosen + 1} of ${countText(hits.length)}`}
          </span>
        )}
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls */}
      <pre class="output all" ref={box} tabIndex={0}>
        {term.value === "" ? withColors(shown) : marked(plain, hits, term.value.length, chosen)}
        {cut}
      </pre>
    </div>
  );
}

function countText(hits: number): string {
  return hits === mostHits ? `${mostHits} or more` : String(hits);
}

/** Returns the offsets of a text, upper and lower case being equal. */
function findAll(text: string, term: string): number[] {
  const [all, wanted] = [text.toLowerCase(), term.toLowerCase()];
  const hits: number[] = [];
  let at = all.indexOf(wanted);
  while (at >= 0 && hits.length < mostHits) {
    hits.push(at);
    at = all.indexOf(wanted, at + wanted.length);
  }
  return hits;
}

function marked(
  text: string,
  hits: readonly number[],
  length: number,
  chosen: number,
): ComponentChildren {
  let at = 0;
  const parts = hits.flatMap((hit, index) => {
    const before = text.slice(at, hit);
    at = hit + length;
    const found = text.slice(hit, at);
    return [
      before,
      <mark key={hit} class={index === chosen ? "chosen" : undefined}>
        {found}
      </mark>,
    ];
  });
  return [...parts, text.slice(at)];
}

const headLines = 3;
const tailLines = 5;
const liveLines = 8;
const mostHits = 1000;
/** Longer output is cut: the page must stay usable. */
const mostOutput = 1_000_000;
