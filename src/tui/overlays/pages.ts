import { isKey, pageKeys, splitEscape } from "../keys.js";
import type { Component, Terminal } from "../pi.js";
import { cutUnbroken } from "../text/hyperlink.js";
import { truncate } from "../text/layout.js";
import type { View } from "../view.js";
import { isBefore, type Place, Sections } from "./sections.js";

/** Dependencies of {@link Pages}. */
export interface PagesParts {
  terminal: Pick<Terminal, "rows">;
  view(width: number): View;
  /** `next` is a key that is meant for what is below. */
  close(next?: string): void;
}

/** Renders a part of a page. */
export type PagePart = (view: View) => string[];

/** A full-screen pager. */
export class Pages implements Component {
  readonly #title: string;
  readonly #content: readonly PagePart[];
  readonly #parts: PagesParts;
  #sections = new Sections([]);
  #width = 0;
  #top: Place | "end";

  /** `from` is the initial position; the transcript starts at its end. */
  constructor(
    title: string,
    content: PagePart | readonly PagePart[],
    parts: PagesParts,
    from: "top" | "end" = "top",
  ) {
    this.#title = title;
    this.#content = typeof content === "function" ? [content] : content;
    this.#parts = parts;
    this.#top = from === "top" ? start : "end";
  }

  handleInput(data: string): void {
    const page = Math.max(1, this.#height() - 1);
    const half = Math.ceil(page / 2);
    const split = splitEscape(data);
    if (split !== undefined) this.#parts.close(split[1]);
    else if (isKey(pageKeys.close, data)) this.#parts.close();
    else if (isKey(pageKeys.up, data)) this.#move(-1);
    else if (isKey(pageKeys.down, data)) this.#move(1);
    else if (isKey(pageKeys.pageUp, data)) this.#move(-page);
    else if (isKey(pageKeys.pageDown, data)) this.#move(page);
    else if (isKey(pageKeys.halfPageUp, data)) this.#move(-half);
    else if (isKey(pageKeys.halfPageDown, data)) this.#move(half);
    else if (isKey(pageKeys.top, data)) this.#top = start;
    else if (isKey(pageKeys.bottom, data)) this.#top = "end";
  }

  render(width: number): string[] {
    const view = this.#parts.view(width);
    const { theme } = view;
    if (width !== this.#width) {
      const full = { ...view, isFull: true };
      this.#sections = new Sections(
        this.#content.map(
          (render) => () => render(full).flatMap((line) => cutUnbroken(line, width)),
        ),
      );
    }
    this.#width = width;
    const height = this.#height();
    const { top, last } = this.#clamped();
    const shown = this.#sections.from(top, height);
    const blank = Array.from({ length: height - shown.length }, () => "");
    const foot = `${this.#sections.percent(top, last)}% · ↑↓ pgup pgdn · q to close`;
    return [
      theme.bold(truncate(` ${this.#title}`, width)),
      ...shown,
      ...blank,
      theme.dim(truncate(` ${foot}`, width)),
    ];
  }

  invalidate(): void {
    this.#width = 0;
  }

  #height(): number {
    return Math.max(1, this.#parts.terminal.rows - 2);
  }

  #move(by: number): void {
    this.#top = this.#sections.move(this.#clamped().top, by);
  }

  /** Returns the first line that is shown; the last page is always full. */
  #clamped(): { top: Place; last: Place } {
    const last = this.#sections.lastTop(this.#height());
    const isBehind = this.#top === "end" || !isBefore(this.#top, last);
    // The end is followed again after a resize.
    if (isBehind && this.#top !== "end") this.#top = last;
    return { top: this.#top === "end" ? last : this.#top, last };
  }
}

const start: Place = { section: 0, line: 0 };
