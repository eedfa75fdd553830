import { type Signal, signal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { CopyButton } from "../lib/copy-button.js";

type Highlighter = typeof import("./highlight.js");

const highlighter: Signal<Highlighter | undefined> = signal(undefined);
let isLoading = false;

/** A block of code with its language and a button to copy it. */
export function CodeBlock({
  text,
  language,
  isGrowing,
}: {
  text: string;
  language: string;
  isGrowing: boolean;
}) {
  const name = language.split(/[\s{,]/)[0] ?? "";
  return (
    <figure class="code-block">
      <figcaption>
        <span>{name || "text"}</span>
        <CopyButton text={text} />
      </figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls */}
      <pre tabIndex={0}>
        <code>{isGrowing || text.length > 50_000 ? text : highlighted(text, name)}</code>
      </pre>
    </figure>
  );
}

/** Returns the text with colors once the library is loaded. */
export function highlighted(text: string, language: string): ComponentChildren {
  if (language === "" || language === "text") return text;
  return loadedHighlighter()?.highlight(text, language) ?? text;
}

/** Returns the library that colors code; loads it if it is not there yet. */
export function loadedHighlighter(): Highlighter | undefined {
  if (highlighter.value === undefined && !isLoading) {
    isLoading = true;
    void import("./highlight.js").then((loaded) => {
      highlighter.value = loaded;
    });
  }
  return highlighter.value;
}
