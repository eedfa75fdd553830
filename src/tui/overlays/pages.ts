import { isKey, pageKeys } from "../keys.js";
import type { Component, Terminal } from "../pi.js";
import { cutUnbroken } from "../text/hyperlink.js";
import { truncate } from "../text/layout.js";
import type { View } from "../view.js";

/** Dependencies of {@link Pages}. */
export interface PagesParts {
  terminal: Pick<Terminal, "rows">;
  view(width: number): View;
  close(): void;
}

/** A full-screen pager. */
export class Pages implements Component {
  readonly #title: string;
  readonly #content: (view: View) => string[];
  readonly #parts: PagesParts;
  #lines: readonly string[] = [];
  #width = 0;
  #top: number;

  /** `from` is the initial position; the transcript starts at its end. */
  constructor(
    title: string,
    content: (view: View) => string[],
    parts: PagesParts,
    from: "top" | "end" = "top",
  ) {
    this.#title = title;
    this.#content = content;
    this.#parts = parts;
    this.#top = from === "top" ? 0 : Number.POSITIVE_INFINITY;
  }

  handleInput(data: string): void {
    const page = Math.max(1, this.#height() - 1);
    if (isKey(pageKeys.close, data)) this.#parts.close();
    else if (isKey(pageKeys.up, data)) this.#top -= 1;
    else if (isKey(pageKeys.down, data)) this.#top += 1;
    else if (isKey(pageKeys.pageUp, data)) this.#top -= page;
    else if (isKey(pageKeys.pageDown, data)) this.#top += page;
    else if (isKey(pageKeys.top, data)) this.#top = 0;
    else if (isKey(pageKeys.bottom, data)) this.#top = Number.POSITIVE_INFINITY;
    this.#clamp();
  }

  render(width: number): string[] {
    const view = this.#parts.view(width);
    const { theme } = view;
    if (width !== this.#width) {
      const lines = this.#content({ ...view, isFull: true });
      this.#lines = lines.flatMap((line) => cutUnbroken(line, width));
    }
    this.#width = width;
    this.#clamp();
    const height = this.#height();
    const shown = this.#lines.slice(this.#top, this.#top + height);
    const blank = Array.from({ length: height - shown.length }, () => "");
    const last = Math.max(0, this.#lines.length - height);
    const percent = last === 0 ? 100 : Math.round((this.#top / last) * 100);
    const foot = `${percent}% · ↑↓ pgup pgdn · q to close`;
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

  #clamp(): void {
    const last = Math.max(0, this.#lines.length - this.#height());
    this.#top = Math.max(0, Math.min(last, this.#top));
  }
}
