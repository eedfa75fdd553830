import { splitEscape } from "../keys.js";
import type { Component, Focusable } from "../pi.js";

/** A component that can take the pane: it handles keys and renders into a given height. */
export interface PaneContent {
  render(width: number, height: number): string[];
  handleInput(data: string): void;
  focused: boolean;
  /** Escape closes it and decides nothing, so a character that follows at once is for the composer. */
  readonly isLeftByEscape?: boolean;
}

/** The input area: the composer, or a dialog that covers it. */
export class Pane implements Component, Focusable {
  readonly #base: PaneContent;
  readonly #rows: () => number;
  readonly #open: PaneContent[] = [];
  #focused = false;

  constructor(base: PaneContent, rows: () => number) {
    this.#base = base;
    this.#rows = rows;
  }

  get focused(): boolean {
    return this.#focused;
  }

  set focused(value: boolean) {
    this.#focused = value;
    for (const content of [this.#base, ...this.#open]) content.focused = false;
    this.#top().focused = value;
  }

  /** Returns whether a dialog covers the composer. */
  get isCovered(): boolean {
    return this.#open.length > 0;
  }

  /** Covers the composer until the returned function is called. */
  show(content: PaneContent): () => void {
    this.#open.push(content);
    this.focused = this.#focused;
    return () => {
      const index = this.#open.indexOf(content);
      if (index !== -1) this.#open.splice(index, 1);
      this.focused = this.#focused;
    };
  }

  handleInput(data: string): void {
    const top = this.#top();
    const split = top.isLeftByEscape === true ? splitEscape(data) : undefined;
    if (split === undefined) {
      top.handleInput(data);
      return;
    }
    const [escapeKey, character] = split;
    top.handleInput(escapeKey);
    this.typeInComposer(character);
  }

  /** Passes a key on, unless a dialog covers the composer. */
  typeInComposer(data: string): void {
    if (!this.isCovered) this.#base.handleInput(data);
  }

  render(width: number, height = this.#rows()): string[] {
    return this.#top().render(width, height);
  }

  invalidate(): void {}

  #top(): PaneContent {
    return this.#open.at(-1) ?? this.#base;
  }
}
