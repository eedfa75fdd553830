import { fuzzyFilter, Input, matchesKey } from "../pi.js";
import { hang, truncate, widthOf } from "../text/layout.js";
import { counted } from "../text/numbers.js";
import { oneLine, sanitize } from "../text/sanitize.js";
import type { Theme } from "../theme/theme.js";
import type { PaneContent } from "./pane.js";

/** An item of a {@link Picker}. */
export interface Choice<Value> {
  value: Value;
  label: string;
  description?: string;
}

/** Options for {@link Picker}. */
export interface PickOptions<Value> {
  title: string;
  /** Text below the title. */
  text?: string;
  choices: readonly Choice<Value>[];
  /** Index of the initially selected item. */
  selected?: number;
  /** Style the title as a warning. */
  isWarning?: boolean;
  /** Filter the list by typing. */
  isSearched?: boolean;
  /** Finds further items for what the user types, behind those of the list, until the signal aborts. */
  find?(query: string, signal: AbortSignal): AsyncIterable<readonly Choice<Value>[]>;
  /** Returns lines about the selected item; they are shown below the list if there is room. */
  preview?(value: Value): Promise<readonly string[]>;
}

/** Dependencies of {@link Picker}. */
export interface PickerParts<Value> {
  theme: Theme;
  done(value: Value | undefined): void;
  /** Called when a preview or further items have arrived. */
  changed(): void;
}

/** Rows that the list, its search and its hints need at least. */
const leastList = 10;

/** Most lines of a preview. */
const previewRows = 8;

/** A list dialog. */
export class Picker<Value> implements PaneContent {
  readonly isLeftByEscape = true;
  readonly #options: PickOptions<Value>;
  readonly #theme: Theme;
  readonly #done: (value: Value | undefined) => void;
  readonly #changed: () => void;
  readonly #previews = new Map<Value, readonly string[]>();
  readonly #search = new Input();
  #shown: readonly Choice<Value>[];
  #selected: number;
  #finding = new AbortController();

  constructor(options: PickOptions<Value>, { theme, done, changed }: PickerParts<Value>) {
    this.#options = options;
    this.#theme = theme;
    this.#done = (value) => {
      this.#finding.abort();
      done(value);
    };
    this.#changed = changed;
    this.#shown = options.choices;
    this.#selected = options.selected ?? 0;
  }

  get focused(): boolean {
    return this.#search.focused;
  }

  set focused(value: boolean) {
    this.#search.focused = value;
  }

  handleInput(data: string): void {
    if (matchesKey(data, "escape") || matchesKey(data, "ctrl+c")) this.#done(undefined);
    else if (matchesKey(data, "up")) this.#move(-1);
    else if (matchesKey(data, "down")) this.#move(1);
    else if (matchesKey(data, "pageUp")) this.#move(-10, true);
    else if (matchesKey(data, "pageDown")) this.#move(10, true);
    else if (matchesKey(data, "enter")) this.#choose(this.#selected);
    else if (this.#options.isSearched) this.#filter(data);
    else if (/^[1-9]$/.test(data)) this.#choose(Number(data) - 1);
    else if (data === "k") this.#move(-1);
    else if (data === "j") this.#move(1);
  }

  render(width: number, height: number): string[] {
    const theme = this.#theme;
    const { title, text, isSearched, isWarning } = this.#options;
    const style = isWarning ? (plain: string) => theme.bold(theme.failure(plain)) : theme.bold;
    const head = ["", ...hang(style(oneLine(title)), width, "  ")];
    const textStyle = isWarning ? theme.warning : theme.dim;
    if (text !== undefined) {
      const most = Math.max(2, height - head.length - leastList);
      head.push(...foldText(hang(textStyle(sanitize(text)), width, "  "), most, theme));
    }
    if (isSearched) head.push(...this.#search.render(width - 2).map((line) => `  ${line}`));
    head.push("");
    const hint = isSearched
      ? "type to search · ↑↓ move · enter select · esc cancel"
      : "↑↓ move · enter select · esc cancel";
    const preview = this.#previewLines(width);
    // The list is more important than the preview.
    const rows = Math.min(preview.length, Math.max(0, height - head.length - 4 - 5));
    const room = Math.max(3, Math.min(12, height - head.length - 4 - rows));
    return [
      ...head,
      ...this.#choiceLines(width, room),
      ...preview.slice(0, rows),
      "",
      theme.dim(`  ${truncate(hint, width - 2)}`),
    ];
  }

  /** Returns the lines about the selected item; starts to read them if they are not known yet. */
  #previewLines(width: number): string[] {
    const { preview } = this.#options;
    const choice = this.#shown[this.#selected];
    if (preview === undefined || choice === undefined) return [];
    const { value } = choice;
    const known = this.#previews.get(value);
    if (known === undefined) {
      this.#previews.set(value, []);
      preview(value)
        .catch((error: unknown) => [String(error)])
        .then((lines) => {
          this.#previews.set(value, lines);
          this.#changed();
        });
    }
    const lines = (known ?? []).slice(0, previewRows);
    const edge = this.#theme.dim("  │ ");
    return [
      "",
      ...lines.map((line) => truncate(`${edge}${this.#theme.dim(oneLine(line))}`, width)),
    ];
  }

  #choiceLines(width: number, room: number): string[] {
    const theme = this.#theme;
    if (this.#shown.length === 0) return [theme.dim("  no matches")];
    const first = Math.max(
      0,
      Math.min(this.#selected - Math.floor(room / 2), this.#shown.length - room),
    );
    const visible = this.#shown.slice(first, first + room);
    const column = Math.min(40, Math.max(...visible.map(({ label }) => widthOf(oneLine(label)))));
    const isWhole = !this.#options.isSearched && visible.length === this.#shown.length;
    const digits = String(this.#shown.length).length;
    const rows = visible.map((choice, index) => {
      const isChosen = first + index === this.#selected;
      const number = this.#options.isSearched
        ? ""
        : `${String(first + index + 1).padStart(digits)}. `;
      const label = oneLine(choice.label);
      const shownLabel =
        choice.description === undefined ? label : padded(truncate(label, column), column);
      const main = `${isChosen ? "› " : "  "}${number}${shownLabel}`;
      const shownMain = isChosen ? theme.selected(main) : main;
      if (choice.description === undefined) return [truncate(shownMain, width)];
      return hang(theme.dim(oneLine(choice.description)), width, `${shownMain}  `);
    });
    // Wrap descriptions if all of them fit, otherwise cut each to one row.
    const isRoomy = isWhole && width >= column + 24 && rows.flat().length <= room;
    const lines = isRoomy ? rows.flat() : rows.map((row) => cutRow(row, width));
    const rest = this.#shown.length - first - visible.length;
    return rest > 0 ? [...lines, theme.dim(`    … ${rest} more`)] : lines;
  }

  #move(by: number, isClamped = false): void {
    const count = this.#shown.length;
    if (count === 0) return;
    const next = this.#selected + by;
    this.#selected = isClamped ? Math.max(0, Math.min(count - 1, next)) : (next + count) % count;
  }

  #choose(index: number): void {
    const choice = this.#shown[index];
    if (choice !== undefined) this.#done(choice.value);
  }

  #filter(data: string): void {
    this.#search.handleInput(data);
    const query = this.#search.getValue();
    const { choices } = this.#options;
    this.#shown =
      query === ""
        ? choices
        : fuzzyFilter(
            [...choices],
            query,
            ({ label, description }) => `${label} ${description ?? ""}`,
          );
    this.#selected = 0;
    this.#finding.abort();
    this.#finding = new AbortController();
    if (query.trim().length >= leastQuery) void this.#findMore(query, this.#finding.signal);
  }

  /** Adds further items, until the user types on. */
  async #findMore(query: string, signal: AbortSignal): Promise<void> {
    try {
      for await (const found of this.#options.find?.(query, signal) ?? []) {
        if (signal.aborted) return;
        const known = new Set(this.#shown.map(({ value }) => value));
        this.#shown = [...this.#shown, ...found.filter(({ value }) => !known.has(value))];
        this.#changed();
      }
    } catch {
      // The list shows what was found before.
    }
  }
}

/** Shorter queries would find almost everything. */
const leastQuery = 3;

function padded(text: string, width: number): string {
  return text + " ".repeat(Math.max(0, width - widthOf(text)));
}

/** Returns the first row, with an ellipsis if there are more. */
function cutRow([first = "", ...more]: readonly string[], width: number): string {
  return more.length === 0 ? truncate(first, width) : `${truncate(first, Math.max(1, width - 1))}…`;
}

function foldText(lines: readonly string[], most: number, theme: Theme): readonly string[] {
  if (lines.length <= most) return lines;
  const hidden = lines.length - most + 1;
  return [...lines.slice(0, most - 1), theme.dim(`  … ${counted(hidden, "more line")}`)];
}
