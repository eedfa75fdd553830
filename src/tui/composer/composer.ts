import type { PaneContent } from "../overlays/pane.js";
import { Editor, matchesKey, type TUI } from "../pi.js";
import { truncate } from "../text/layout.js";
import { sanitize } from "../text/sanitize.js";
import type { Theme } from "../theme/theme.js";
import type { UserInput } from "../wire.js";
import { Attachments, type Draft, droppedImage } from "./draft.js";
import { History } from "./history.js";
import { type Complete, type Completion, completionToken, Menu } from "./menu.js";

/** Dependencies of {@link Composer}. */
export interface ComposerParts {
  tui: TUI;
  theme(): Theme;
  complete: Complete;
  /** Text shown while the composer is empty. */
  placeholder(): string;
  /** Called with a complete message; `isQueued` if it is meant for the next turn. */
  submit(draft: Draft, isQueued: boolean): void;
  /** Handles a key before the editor does; returns false to pass it on. */
  key(data: string): boolean;
  /** Reads an image; undefined if the file is not one. */
  readImage(path: string): Promise<UserInput | undefined>;
}

/** The text input for messages. */
export class Composer implements PaneContent {
  readonly #parts: ComposerParts;
  readonly #editor: Editor;
  readonly #menu: Menu;
  /** Sent messages, recalled with Up and Down. */
  readonly history = new History();
  readonly #attachments = new Attachments();
  readonly #skills = new Map<string, UserInput>();
  #isQueued = false;

  constructor(parts: ComposerParts) {
    this.#parts = parts;
    const plain = (text: string) => text;
    const selectList = {
      selectedPrefix: plain,
      selectedText: plain,
      description: plain,
      scrollInfo: plain,
      noMatch: plain,
    };
    this.#editor = new Editor(parts.tui, { borderColor: (text) => edge + text, selectList });
    this.#editor.onSubmit = (text) => this.#submit(text);
    this.#menu = new Menu(parts.complete, () => parts.tui.requestRender());
  }

  get focused(): boolean {
    return this.#editor.focused;
  }

  set focused(value: boolean) {
    this.#editor.focused = value;
  }

  /** The text with pasted content expanded. */
  get text(): string {
    return this.#editor.getExpandedText();
  }

  get isEmpty(): boolean {
    return this.#editor.getText() === "";
  }

  setText(text: string): void {
    this.#editor.setText(sanitize(text));
    this.#follow();
  }

  insert(text: string): void {
    this.#editor.insertTextAtCursor(sanitize(text));
    this.#follow();
  }

  /** Inserts an image at the cursor. */
  attach(image: UserInput): void {
    this.insert(`${this.#attachments.add(image)} `);
  }

  /** Attaches a skill to the message as long as the text mentions it. */
  useSkill(name: string, skill: UserInput): void {
    this.#skills.set(`$${name}`, skill);
  }

  handleInput(data: string): void {
    if (this.#handlePaste(data) || this.#handleMenuKey(data)) return;
    if (this.#parts.key(data) || this.#handleHistoryKey(data)) return;
    if (matchesKey(data, "tab")) {
      this.#send(true);
      return;
    }
    this.#editor.handleInput(data);
    this.#follow();
  }

  render(width: number): string[] {
    const theme = this.#parts.theme();
    const lines = this.#editor.render(Math.max(4, width - 2));
    const content = lines.filter((line) => !line.startsWith(edge));
    const shown = content.map((line, index) => {
      const mark = index === 0 ? theme.bold(theme.accent("› ")) : "  ";
      return `${mark}${line.trimEnd()}`;
    });
    if (this.isEmpty) {
      const hint = theme.dim(truncate(this.#parts.placeholder(), Math.max(0, width - 3)));
      // Put the cursor on the first letter of the hint, not on a space before it.
      shown[0] = `${(shown[0] ?? "").replace("\x1b[7m \x1b[0m", "")}${hint}`;
    }
    return ["", ...shown, ...this.#menu.render(width, theme)];
  }

  #submit(text: string): void {
    const images = this.#attachments.in(text);
    const skills = [...this.#skills]
      .filter(([name]) => text.includes(name))
      .map(([, skill]) => skill);
    this.#attachments.clear();
    this.#skills.clear();
    this.#menu.follow(undefined);
    if (text.trim() === "" && images.length === 0) return;
    this.#parts.submit({ text, images, skills }, this.#isQueued);
  }

  #send(isQueued: boolean): void {
    this.#isQueued = isQueued;
    this.#editor.handleInput("\r");
    this.#isQueued = false;
  }

  #handlePaste(data: string): boolean {
    const pasted = /^\x1b\[200~([\s\S]*)\x1b\[201~$/.exec(data)?.[1];
    if (pasted === undefined) return false;
    const path = droppedImage(pasted);
    if (path === undefined) this.#paste(pasted);
    else void this.#attachFile(path, pasted);
    return true;
  }

  /** Inserts pasted text; the editor collapses long text to a placeholder. */
  #paste(text: string): void {
    // Terminals paste line breaks as carriage returns.
    const lines = withoutLastLineEnd(text.replace(/\r\n?/g, "\n"));
    this.#editor.handleInput(`\x1b[200~${sanitize(lines)}\x1b[201~`);
    this.#follow();
  }

  async #attachFile(path: string, pasted: string): Promise<void> {
    const image = await this.#parts.readImage(path);
    if (image === undefined) this.#paste(pasted);
    else this.attach(image);
    this.#parts.tui.requestRender();
  }

  #handleHistoryKey(data: string): boolean {
    const by = matchesKey(data, "up") ? 1 : matchesKey(data, "down") ? -1 : undefined;
    const text = this.#editor.getText();
    if (by === undefined || !this.history.isBrowsing(text, this.#isAtEdge())) return false;
    const recalled = this.history.move(by, text);
    if (recalled !== undefined) this.#editor.setText(recalled);
    return true;
  }

  /** Returns whether the cursor is at the very start or end of the text. */
  #isAtEdge(): boolean {
    const { line, col } = this.#editor.getCursor();
    const lines = this.#editor.getLines();
    const isAtEnd = line === lines.length - 1 && col === (lines.at(-1) ?? "").length;
    return isAtEnd || (line === 0 && col === 0);
  }

  #handleMenuKey(data: string): boolean {
    if (!this.#menu.isOpen) return false;
    const { chosen } = this.#menu;
    if (matchesKey(data, "escape")) this.#menu.dismiss();
    else if (matchesKey(data, "up")) this.#menu.move(-1);
    else if (matchesKey(data, "down")) this.#menu.move(1);
    else if (matchesKey(data, "tab")) this.#take(chosen, false);
    else if (matchesKey(data, "enter")) this.#take(chosen, true);
    else return false;
    return true;
  }

  /** Replaces the typed token with a completion. */
  #take(completion: Completion | undefined, isSent: boolean): void {
    const token = this.#menu.token;
    if (completion === undefined || token === undefined) return;
    for (let left = token.query.length + 1; left > 0; left -= 1) this.#editor.handleInput("\x7f");
    const isDone = isSent && completion.isComplete === true;
    this.insert(isDone ? completion.insert : `${completion.insert} `);
    if (isDone) this.#send(false);
  }

  #follow(): void {
    const { line, col } = this.#editor.getCursor();
    const lines = this.#editor.getLines();
    const before = [...lines.slice(0, line), (lines[line] ?? "").slice(0, col)].join("\n");
    this.#menu.follow(completionToken(before));
  }
}

/** Marks the horizontal rules that the editor draws; they are removed here. */
const edge = "\x00";

/** Drops the final line break of a long paste, which the editor would count as another line. */
function withoutLastLineEnd(text: string): string {
  return text.split("\n", 11).length > 10 ? text.replace(/\n$/, "") : text;
}
