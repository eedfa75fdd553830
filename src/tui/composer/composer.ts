import { composerKeys, isKey, mainKeys, splitEscape } from "../keys.js";
import type { PaneContent } from "../overlays/pane.js";
import { matchesKey, type TUI } from "../pi.js";
import { truncate, widthOf } from "../text/layout.js";
import { onBackground } from "../text/on-background.js";
import { sanitize } from "../text/sanitize.js";
import type { Theme } from "../theme/theme.js";
import type { UserInput } from "../wire.js";
import { ComposerEditor } from "./composer-editor.js";
import { Attachments, type Draft, droppedImage } from "./draft.js";
import { History } from "./history.js";
import { type Complete, type Completion, completionToken, Menu } from "./menu.js";
import type { Vim } from "./vim/vim.js";

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
  readonly #editor: ComposerEditor;
  readonly #menu: Menu;
  /** Sent messages, recalled with Up and Down. */
  readonly history = new History();
  readonly #attachments = new Attachments();
  readonly #skills = new Map<string, UserInput>();
  #isQueued = false;
  #vim: Vim | undefined;

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
    this.#editor = new ComposerEditor(parts.tui, {
      borderColor: (text) => edge + text,
      selectList,
    });
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

  /** Mode of the vim keys; undefined if they are off. */
  get vimMode(): string | undefined {
    return this.#vim?.mode;
  }

  /** Switches the vim keys on or off. */
  useVim(create: ((editor: ComposerEditor) => Vim) | undefined): void {
    this.#vim = create?.(this.#editor);
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
    const split = this.#vim === undefined ? undefined : splitEscape(data);
    if (split === undefined) this.#handleKey(data);
    else for (const key of split) this.#handleKey(key);
  }

  #handleKey(data: string): void {
    if (this.#handlePaste(data) || this.#handleMenuKey(data)) return;
    if (this.#handleHistoryKey(data) || this.#vim?.handle(data)) return;
    if (this.#parts.key(data) || this.#handleEditKey(data)) return;
    if (isKey(mainKeys.queue, data)) {
      this.#send(true);
      return;
    }
    this.#editor.handleInput(data);
    this.#follow();
  }

  /** Handles keys that the editor does not have; returns false for others. */
  #handleEditKey(data: string): boolean {
    if (isKey(composerKeys.undo, data)) this.#editor.undoStep();
    else if (isKey(composerKeys.redo, data)) this.#editor.redoStep();
    else if (isKey(composerKeys.openPaste, data)) return this.#editor.openPaste();
    else if (isKey(composerKeys.acceptSuggestion, data)) return this.#acceptSuggestion();
    else if (matchesKey(data, "backspace")) {
      // An image is removed as a whole, like pasted text.
      return this.#attachments.words.some((word) => this.#editor.removeBefore(word));
    } else return false;
    this.#follow();
    return true;
  }

  /** The rest of an earlier message that starts like this one. */
  #suggestion(): string | undefined {
    const { line, col } = this.#editor.getCursor();
    const [text = "", ...more] = this.#editor.getLines();
    const isAtEnd = more.length === 0 && line === 0 && col === text.length;
    const isInsert = this.#vim === undefined || this.#vim.isInsert;
    return isAtEnd && isInsert && !this.#menu.isOpen ? this.history.suggestion(text) : undefined;
  }

  #acceptSuggestion(): boolean {
    const rest = this.#suggestion();
    if (rest === undefined) return false;
    this.insert(rest);
    return true;
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
    const rest = this.isEmpty ? undefined : this.#suggestion();
    if (rest !== undefined && shown.length === 1) {
      const room = width - 3 - widthOf(this.#editor.getText());
      const first = (shown[0] ?? "").replace("\x1b[7m \x1b[0m", "");
      if (room > 3) shown[0] = `${first}${theme.dim(truncate(rest, room))}`;
    }
    const { shade } = theme.backgrounds;
    const bar = shown.map((line) => onBackground(line, shade, width));
    return ["", ...bar, ...this.#menu.render(width, theme)];
  }

  #submit(text: string): void {
    const images = this.#attachments.in(text);
    const skills = [...this.#skills]
      .filter(([name]) => text.includes(name))
      .map(([, skill]) => skill);
    this.#attachments.clear();
    this.#skills.clear();
    this.#menu.follow(undefined);
    this.#vim?.reset();
    if (text.trim() === "" && images.length === 0) return;
    this.#parts.submit({ text, images, skills }, this.#isQueued);
  }

  #send(isQueued: boolean): void {
    this.#isQueued = isQueued;
    this.#editor.submit();
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
    const { chosen, isBehind } = this.#menu;
    if (isBehind && matchesKey(data, "tab")) {
      this.#menu.onceFollowed(() => this.#take(this.#menu.chosen, false));
      return true;
    }
    if (!this.#menu.isOpen) return false;
    if (matchesKey(data, "escape")) this.#menu.dismiss();
    else if (matchesKey(data, "up")) this.#menu.move(-1);
    else if (matchesKey(data, "down")) this.#menu.move(1);
    else if (matchesKey(data, "tab")) this.#take(chosen, false);
    else if (matchesKey(data, "enter")) {
      // Typed faster than the menu follows: what it shows is not what was typed.
      if (isBehind) return false;
      this.#take(chosen, true);
    } else return false;
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
