import { matchesKey } from "../../pi.js";
import type { ComposerEditor } from "../composer-editor.js";
import { CharacterSearch, isForward } from "./character-search.js";
import { editCommands, insertCommands, operatorCommands, replaceCharacters } from "./commands.js";
import { EditorText } from "./editor-text.js";
import { KeySequence } from "./key-sequence.js";
import type { VimKeymap } from "./keys.js";
import { LastChange } from "./last-change.js";
import { lineEnd, lineStart, type Motion, motionNamed } from "./motions.js";
import {
  applyOperator,
  type Operator,
  type Range,
  rangeOfLines,
  rangeOfMotion,
  rangeOfSelection,
  rangeOver,
} from "./operators.js";
import { Registers } from "./registers.js";
import { type TextObjectName, textObject } from "./text-objects.js";

type Mode = "insert" | "normal" | "replace" | "visual" | "visual line";

/** Vim keys for the composer: it handles keys before the editor does. */
export class Vim {
  readonly #composer: ComposerEditor;
  readonly #editor: EditorText;
  readonly #keys: KeySequence;
  readonly #registers = new Registers();
  readonly #lastChange = new LastChange();
  readonly #search = new CharacterSearch();
  #mode: Mode = "insert";
  #count = "";
  #operator: Operator | undefined;
  #operatorCount = 1;
  /** Consumes the next key, such as the character to find. */
  #next: ((key: string) => void) | undefined;
  /** Start of the selection. */
  #anchor = 0;

  constructor(editor: ComposerEditor, keymap: VimKeymap) {
    this.#composer = editor;
    this.#editor = new EditorText(editor);
    this.#keys = new KeySequence(keymap);
  }

  /** Mode for the status line. */
  get mode(): string {
    return this.#mode.toUpperCase();
  }

  get isInsert(): boolean {
    return this.#mode === "insert";
  }

  get #isVisual(): boolean {
    return this.#mode === "visual" || this.#mode === "visual line";
  }

  /** Starts a new message in insert mode. */
  reset(): void {
    this.#enter("insert");
    this.#lastChange.drop();
  }

  /** Handles a key; returns false if it belongs to the editor or the program. */
  handle(data: string): boolean {
    if (this.#mode !== "insert") return this.#commandKey(data);
    const isConsumed = this.#insertKey(data);
    if (this.#lastChange.isRecording && !isConsumed) this.#lastChange.record(data);
    return isConsumed;
  }

  #insertKey(data: string): boolean {
    if (!matchesKey(data, "escape")) return false;
    this.#endChange();
    this.#enter("normal");
    const { text, at } = this.#editor;
    this.#editor.move(at > lineStart(text, at) ? at - 1 : at);
    return true;
  }

  #replaceKey(data: string): boolean {
    if (matchesKey(data, "escape")) {
      this.#endChange();
      this.#enter("normal");
      return true;
    }
    if (data.length !== 1 || data < " " || data === "\x7f") return false;
    this.#lastChange.record(data);
    const { text, at } = this.#editor;
    this.#editor.replace(at, Math.min(at + 1, lineEnd(text, at)), data, at + 1);
    return true;
  }

  #commandKey(data: string): boolean {
    if (this.#next !== undefined) {
      this.#useNext(this.#next, data);
      return true;
    }
    if (this.#mode === "replace") return this.#replaceKey(data);
    if (/^[1-9]$/.test(data) || (data === "0" && this.#count !== "")) {
      this.#count += data;
      this.#lastChange.record(data);
      return true;
    }
    const context = this.#operator === undefined ? "vim_normal" : "vim_operator";
    const action = this.#keys.actionOf(context, data);
    if (action === undefined) {
      const isLetter = data.length === 1 && data >= " " && data !== "\x7f";
      if (isLetter || this.#operator !== undefined) this.#cancel();
      return isLetter;
    }
    this.#lastChange.record(data);
    if (action === "prefix") return true;
    if (this.#operator === undefined) return this.#normal(action);
    this.#operate(this.#operator, action);
    return true;
  }

  #useNext(use: (key: string) => void, data: string): void {
    this.#next = undefined;
    if (matchesKey(data, "escape")) this.#cancel();
    else {
      this.#lastChange.record(data);
      use(data);
    }
  }

  /** Runs an action of the normal and visual modes; returns false if it belongs to the program. */
  #normal(action: string): boolean {
    const motion = motionNamed(action.replace(/^move_/, ""));
    if (motion !== undefined) {
      this.#moveBy(motion.move, this.#takeCount());
      this.#dropRecording();
      return true;
    }
    if (/^(?:find|till)_/.test(action)) {
      const count = this.#takeCount();
      this.#find(action, (move) => this.#moveBy(move, count));
      return true;
    }
    const started = /^start_(delete|yank|change)_operator$/.exec(action)?.[1];
    if (started !== undefined) {
      this.#startOperator(started as Operator);
      return true;
    }
    if (action === "cancel_operator") return this.#escape();
    return this.#command(action, this.#takeCount());
  }

  #command(action: string, count: number): boolean {
    const startInsert = insertCommands[action];
    if (startInsert !== undefined) return this.#insertAt(startInsert(this.#editor));
    const edit = editCommands[action];
    if (edit !== undefined) {
      edit({ editor: this.#editor, registers: this.#registers, count });
      this.#endChange();
      return true;
    }
    const cut = operatorCommands[action];
    if (cut !== undefined) {
      const isOnSelection = this.#isVisual && /^(?:delete|substitute)_char$/.test(action);
      if (isOnSelection) this.#operateOnSelection(cut.operator);
      else this.#apply(cut.operator, cut.range(this.#editor, count));
      return true;
    }
    switch (action) {
      case "enter_replace_mode":
        this.#enter("replace");
        return true;
      case "enter_visual":
      case "enter_visual_line":
        this.#select(action === "enter_visual" ? "visual" : "visual line");
        return true;
      case "replace_char":
        this.#next = (key) => {
          replaceCharacters(this.#editor, key, count);
          this.#endChange();
        };
        return true;
      case "select_register":
        this.#next = (key) => this.#registers.select(key);
        return true;
      case "repeat_find":
      case "repeat_find_backward":
        this.#moveBy(this.#search.again(action === "repeat_find"), count);
        this.#dropRecording();
        return true;
      case "repeat_last_change":
        this.#dropRecording();
        this.#repeatChange(count);
        return true;
      case "undo":
      case "redo":
        this.#dropRecording();
        this.#editor.step(action, count);
        return true;
      default:
        return false;
    }
  }

  #startOperator(operator: Operator): void {
    if (this.#isVisual) this.#operateOnSelection(operator);
    else {
      this.#operator = operator;
      this.#operatorCount = this.#takeCount();
    }
  }

  /** Starts a selection, changes its kind, or ends it if it is of this kind. */
  #select(mode: "visual" | "visual line"): void {
    if (this.#mode === mode) this.#enter("normal");
    else {
      if (!this.#isVisual) this.#anchor = this.#editor.at;
      this.#mode = mode;
    }
    this.#dropRecording();
  }

  /** Leaves the visual mode or a pending command; in plain normal mode Esc belongs to the program. */
  #escape(): boolean {
    const isPending = this.#count !== "" || this.#registers.hasSelected;
    const isIdle = this.#mode === "normal" && !isPending;
    this.#cancel();
    return !isIdle;
  }

  /** Completes a pending operator. */
  #operate(operator: Operator, action: string): void {
    const count = this.#takeCount() * this.#operatorCount;
    const { text, at } = this.#editor;
    if (/^(?:delete|yank|change)_line$/.test(action)) {
      if (action !== `${operator}_line`) this.#cancel();
      else this.#operateOnLines(operator, count);
    } else if (/^motion_(?:find|till)_/.test(action)) {
      this.#find(action.slice("motion_".length), (move) => {
        const kind = isForward(action) ? "inclusive" : "exclusive";
        this.#applyOrCancel(operator, rangeOver(text, at, { move, kind }, count));
      });
    } else if (/^select_(?:inner|around)_text_object$/.test(action)) {
      this.#next = (key) => this.#operateOnObject(operator, key, action.includes("around"));
    } else {
      const name = action.replace(/^motion_/, "");
      this.#applyOrCancel(operator, rangeOfMotion(operator, name, this.#editor, count));
    }
  }

  #operateOnLines(operator: Operator, count: number): void {
    const { text, at } = this.#editor;
    const range = rangeOfLines(text, at, count);
    this.#apply(operator, { ...range, isLines: operator !== "change" });
  }

  #operateOnObject(operator: Operator, key: string, isAround: boolean): void {
    const { text, at } = this.#editor;
    const name = this.#keys.actionOf("vim_text_object", key) as TextObjectName | "cancel";
    const found = !name || name === "cancel" ? undefined : textObject(name, text, at, isAround);
    const range = found && { from: found[0], until: found[1], isLines: false };
    this.#applyOrCancel(operator, range);
  }

  #operateOnSelection(operator: Operator): void {
    const { text, at } = this.#editor;
    const range = rangeOfSelection(text, this.#anchor, at, this.#mode === "visual line");
    this.#mode = "normal";
    this.#count = "";
    this.#apply(operator, range);
  }

  #applyOrCancel(operator: Operator, range: Range | undefined): void {
    if (range === undefined) this.#cancel();
    else this.#apply(operator, range);
  }

  #apply(operator: Operator, range: Range): void {
    this.#operator = undefined;
    applyOperator(operator, range, this.#editor, this.#registers);
    if (operator === "yank") this.#dropRecording();
    else if (operator === "change") this.#insertAt(range.from);
    else this.#endChange();
  }

  /** Searches for the character of the next key. */
  #find(action: string, use: (move: Motion) => void): void {
    this.#next = (character) => {
      use(this.#search.motion(action, character));
      if (this.#operator === undefined && this.#mode !== "insert") this.#dropRecording();
    };
  }

  #repeatChange(count: number): void {
    this.#lastChange.repeat(count, (key) => {
      if (!this.handle(key)) this.#composer.handleInput(key);
    });
  }

  #endChange(): void {
    this.#lastChange.end(this.#mode === "normal");
  }

  #dropRecording(): void {
    if (this.#operator === undefined) this.#lastChange.drop();
  }

  #cancel(): void {
    this.#enter("normal");
    this.#lastChange.drop();
    this.#editor.move(this.#editor.at);
  }

  #enter(mode: Mode): void {
    this.#mode = mode;
    this.#count = "";
    this.#operator = undefined;
    this.#next = undefined;
    this.#keys.reset();
    this.#registers.unselect();
  }

  #insertAt(at: number): true {
    this.#mode = "insert";
    this.#operator = undefined;
    this.#editor.place(at);
    return true;
  }

  #takeCount(): number {
    const count = Math.min(9999, Number(this.#count || 1));
    this.#count = "";
    return count;
  }

  #moveBy(move: Motion | undefined, count: number): void {
    if (move === undefined) return;
    const { text } = this.#editor;
    let { at } = this.#editor;
    for (let left = count; left > 0; left -= 1) at = move(text, at) ?? at;
    this.#editor.move(at);
  }
}
