import { type KeyId, matchesKey } from "../../pi.js";
import type { ComposerEditor } from "../composer-editor.js";
import type { VimContext, VimKeymap } from "./keys.js";
import {
  findInLine,
  firstLetter,
  lineEnd,
  lineStart,
  type Motion,
  type MotionKind,
  type MotionName,
  motions,
} from "./motions.js";
import { type TextObjectName, textObject } from "./text-objects.js";

type Operator = "delete" | "yank" | "change";
type Mode = "insert" | "normal" | "replace" | "visual" | "visual line";

/** A piece of text that was deleted or yanked. */
interface Register {
  text: string;
  isLines: boolean;
}

/** Vim keys for the composer: it handles keys before the editor does. */
export class Vim {
  readonly #editor: ComposerEditor;
  readonly #keys: VimKeymap;
  #mode: Mode = "insert";
  #count = "";
  #operator: Operator | undefined;
  #operatorCount = 1;
  /** Consumes the next key, such as the character to find. */
  #next: ((key: string) => void) | undefined;
  #prefix = "";
  #anchor = 0;
  #register = "";
  readonly #registers = new Map<string, Register>();
  #found: { character: string; isForward: boolean; isTill: boolean } | undefined;
  /** Keys of the change that is being made, and of the last one. */
  #recording: string[] = [];
  #lastChange: readonly string[] = [];
  #isRepeating = false;

  constructor(editor: ComposerEditor, keys: VimKeymap) {
    this.#editor = editor;
    this.#keys = keys;
  }

  /** Mode for the status line. */
  get mode(): string {
    return this.#mode.toUpperCase();
  }

  get isInsert(): boolean {
    return this.#mode === "insert";
  }

  /** Starts a new message in insert mode. */
  reset(): void {
    this.#enter("insert");
    this.#recording = [];
  }

  /** Handles a key; returns false if it belongs to the editor or the program. */
  handle(data: string): boolean {
    if (this.#mode !== "insert") return this.#commandKey(data);
    const isConsumed = this.#insertKey(data);
    if (this.#recording.length > 0 && !isConsumed) this.#record(data);
    return isConsumed;
  }

  #insertKey(data: string): boolean {
    if (!matchesKey(data, "escape")) return false;
    this.#endChange();
    this.#enter("normal");
    const at = this.#at;
    this.#move(at > lineStart(this.#text, at) ? at - 1 : at);
    return true;
  }

  #commandKey(data: string): boolean {
    const next = this.#next;
    if (next !== undefined) {
      this.#next = undefined;
      if (matchesKey(data, "escape")) this.#cancel();
      else {
        this.#record(data);
        next(data);
      }
      return true;
    }
    if (this.#mode === "replace") return this.#replaceKey(data);
    if (/^[1-9]$/.test(data) || (data === "0" && this.#count !== "")) {
      this.#count += data;
      this.#record(data);
      return true;
    }
    const action = this.#actionOf(
      this.#operator === undefined ? "vim_normal" : "vim_operator",
      data,
    );
    if (action === "prefix") {
      this.#record(data);
      return true;
    }
    if (action === undefined) {
      const isLetter = data.length === 1 && data >= " " && data !== "\x7f";
      if (isLetter || this.#operator !== undefined) this.#cancel();
      return isLetter;
    }
    this.#record(data);
    if (this.#operator === undefined) return this.#normal(action);
    this.#applyOperator(action);
    return true;
  }

  /** Finds the action of a key; a key that starts a sequence such as `g g` waits for the next. */
  #actionOf(context: VimContext, data: string): string | undefined {
    const typed = this.#prefix === "" ? data : `${this.#prefix} ${data}`;
    this.#prefix = "";
    for (const [action, keys] of Object.entries(this.#keys[context])) {
      if (keys.some((key) => isTyped(key, typed))) return action;
    }
    const all = Object.values(this.#keys[context]).flat();
    if (!all.some((key) => key.startsWith(`${typed} `))) return undefined;
    this.#prefix = typed;
    return "prefix";
  }

  #normal(action: string): boolean {
    const motion = motionNamed(action.replace(/^move_/, ""));
    if (motion !== undefined) {
      this.#moveBy(motion.move, this.#takeCount());
      this.#dropRecording();
    } else if (/^(?:find|till)_/.test(action)) this.#find(action, (move) => this.#moveBy(move, 1));
    else return this.#command(action);
    return true;
  }

  #command(action: string): boolean {
    const isVisual = this.#mode === "visual" || this.#mode === "visual line";
    const operator = /^start_(delete|yank|change)_operator$/.exec(action)?.[1] as
      | Operator
      | undefined;
    if (operator !== undefined) {
      if (isVisual) this.#operateOnSelection(operator);
      else {
        this.#operator = operator;
        this.#operatorCount = this.#takeCount();
      }
      return true;
    }
    if (isVisual && (action === "delete_char" || action === "substitute_char")) {
      this.#operateOnSelection(action === "delete_char" ? "delete" : "change");
      return true;
    }
    const [text, at] = [this.#text, this.#at];
    const [start, end] = [lineStart(text, at), lineEnd(text, at)];
    const count = action === "cancel_operator" ? 1 : this.#takeCount();
    switch (action) {
      case "enter_insert":
        return this.#insertAt(at);
      case "append_after_cursor":
        return this.#insertAt(Math.min(at + 1, end));
      case "append_line_end":
        return this.#insertAt(end);
      case "insert_line_start":
        return this.#insertAt(firstLetter(text, at));
      case "open_line_below":
        this.#change(end, end, "\n", end + 1);
        return this.#insertAt(end + 1);
      case "open_line_above":
        this.#change(start, start, "\n", start);
        return this.#insertAt(start);
      case "enter_replace_mode":
        this.#enter("replace");
        return true;
      case "enter_visual":
      case "enter_visual_line": {
        const mode = action === "enter_visual" ? "visual" : "visual line";
        if (this.#mode === mode) this.#enter("normal");
        else {
          if (!isVisual) this.#anchor = at;
          this.#mode = mode;
        }
        this.#dropRecording();
        return true;
      }
      case "delete_char":
        return this.#cut(at, Math.min(at + count, end), "delete", false);
      case "delete_char_before":
        return this.#cut(Math.max(start, at - count), at, "delete", false);
      case "substitute_char":
        return this.#cut(at, Math.min(at + count, end), "change", false);
      case "substitute_line":
        return this.#cut(start, end, "change", false);
      case "delete_to_line_end":
        return this.#cut(at, end, "delete", false);
      case "change_to_line_end":
        return this.#cut(at, end, "change", false);
      case "yank_line":
        return this.#cut(start, end, "yank", true);
      case "replace_char":
        this.#next = (key) => {
          if (at + count <= end && key >= " ") {
            this.#change(at, at + count, key.repeat(count), at + count - 1);
          }
          this.#endChange();
        };
        return true;
      case "switch_case": {
        const letters = text.slice(at, Math.min(at + count, end));
        const switched = [...letters].map(switchCase).join("");
        this.#change(at, at + letters.length, switched, at + letters.length);
        break;
      }
      case "join_lines":
        if (end < text.length) this.#change(end, firstLetter(text, end + 1), " ", end);
        break;
      case "paste_after":
      case "paste_before":
        this.#paste(action === "paste_after", count);
        break;
      case "select_register":
        this.#next = (key) => {
          this.#register = key;
        };
        return true;
      case "repeat_find":
      case "repeat_find_backward": {
        const found = this.#found;
        if (found !== undefined) {
          const isForward = found.isForward === (action === "repeat_find");
          this.#moveBy(findInLine(found.character, isForward, found.isTill), count);
        }
        this.#dropRecording();
        return true;
      }
      case "repeat_last_change":
        this.#dropRecording();
        this.#repeat(count);
        return true;
      case "undo":
      case "redo":
        this.#dropRecording();
        for (let left = count; left > 0; left -= 1) {
          if (action === "undo") this.#editor.undoStep();
          else this.#editor.redoStep();
        }
        this.#move(this.#at);
        return true;
      case "cancel_operator":
        return this.#escape();
      default:
        return false;
    }
    this.#endChange();
    return true;
  }

  /** Leaves the visual mode or a pending command; in plain normal mode Esc belongs to the program. */
  #escape(): boolean {
    const isIdle = this.#mode === "normal" && this.#count === "" && this.#register === "";
    this.#cancel();
    return !isIdle;
  }

  #applyOperator(action: string): void {
    const operator = this.#operator ?? "yank";
    const count = this.#takeCount() * this.#operatorCount;
    if (action === "cancel") this.#cancel();
    else if (/^(?:delete|yank|change)_line$/.test(action)) {
      if (action !== `${operator}_line`) this.#cancel();
      else this.#operateOnLines(operator, count);
    } else if (/^motion_(?:find|till)_/.test(action)) {
      this.#find(action.slice("motion_".length), (move, isForward) =>
        this.#operateOver(operator, move, isForward ? "inclusive" : "exclusive", count),
      );
    } else if (/^select_(?:inner|around)_text_object$/.test(action)) {
      this.#next = (key) => this.#operateOnObject(operator, key, action.includes("around"));
    } else {
      const name = action.slice("motion_".length);
      // As in vim: `cw` changes up to the end of the word.
      const isWord = operator === "change" && /^(?:big_)?word_forward$/.test(name);
      const onWord = /\S/.test(this.#text[this.#at] ?? " ");
      const motion = motionNamed(isWord && onWord ? name.replace("forward", "end") : name);
      if (motion === undefined) this.#cancel();
      else this.#operateOver(operator, motion.move, motion.kind, count);
    }
  }

  #operateOver(operator: Operator, move: Motion, kind: MotionKind, count: number): void {
    const [text, at] = [this.#text, this.#at];
    let to = at;
    for (let left = count; left > 0; left -= 1) to = move(text, to) ?? to;
    if (to === at && kind !== "lines" && move(text, at) === undefined) {
      this.#cancel();
      return;
    }
    const [from, until] = [Math.min(at, to), Math.max(at, to)];
    if (kind === "lines") this.#cut(lineStart(text, from), lineEnd(text, until), operator, true);
    else this.#cut(from, kind === "inclusive" ? until + 1 : until, operator, false);
  }

  #operateOnLines(operator: Operator, count: number): void {
    const [text, at] = [this.#text, this.#at];
    let end = lineEnd(text, at);
    for (let left = count; left > 1 && end < text.length; left -= 1) end = lineEnd(text, end + 1);
    this.#cut(lineStart(text, at), end, operator, operator !== "change");
  }

  #operateOnObject(operator: Operator, key: string, isAround: boolean): void {
    const name = this.#actionOf("vim_text_object", key) as TextObjectName | "cancel" | undefined;
    const range =
      name === undefined || name === "cancel"
        ? undefined
        : textObject(name, this.#text, this.#at, isAround);
    if (range === undefined) this.#cancel();
    else this.#cut(range[0], range[1], operator, false);
  }

  #operateOnSelection(operator: Operator): void {
    const [text, at] = [this.#text, this.#at];
    const [from, until] = [Math.min(this.#anchor, at), Math.max(this.#anchor, at)];
    const isLines = this.#mode === "visual line";
    this.#enter("normal");
    if (isLines) this.#cut(lineStart(text, from), lineEnd(text, until), operator, true);
    else this.#cut(from, Math.min(until + 1, text.length), operator, false);
  }

  /** Yanks, deletes or changes a range; whole lines take their line break along. */
  #cut(from: number, until: number, operator: Operator, isLines: boolean): boolean {
    const text = this.#text;
    const register = { text: text.slice(from, until), isLines };
    this.#registers.set("", register);
    this.#registers.set(this.#register, register);
    this.#operator = undefined;
    this.#register = "";
    if (operator === "yank") {
      this.#move(from);
      this.#dropRecording();
    } else if (operator === "change") {
      this.#change(from, until, "", from);
      this.#insertAt(from);
    } else {
      const isLast = until === text.length;
      const start = isLines && isLast ? Math.max(0, from - 1) : from;
      this.#change(start, isLines && !isLast ? until + 1 : until, "", isLines ? start : from);
      this.#move(isLines ? lineStart(this.#text, this.#at) : this.#at);
      this.#endChange();
    }
    return true;
  }

  #paste(isAfter: boolean, count: number): void {
    const register = this.#registers.get(this.#register);
    this.#register = "";
    if (register === undefined) return;
    const [text, at] = [this.#text, this.#at];
    const [start, end] = [lineStart(text, at), lineEnd(text, at)];
    if (register.isLines) {
      const lines = Array.from({ length: count }, () => register.text).join("\n");
      if (isAfter) this.#change(end, end, `\n${lines}`, end + 1);
      else this.#change(start, start, `${lines}\n`, start);
    } else {
      const piece = register.text.repeat(count);
      const to = isAfter ? Math.min(at + 1, end) : at;
      this.#change(to, to, piece, Math.max(to, to + piece.length - 1));
    }
  }

  #find(action: string, use: (move: Motion, isForward: boolean) => void): void {
    const [isTill, isForward] = [action.startsWith("till"), action.endsWith("forward")];
    this.#next = (character) => {
      this.#found = { character, isForward, isTill };
      use(findInLine(character, isForward, isTill), isForward);
      if (this.#operator === undefined && this.#mode !== "insert") this.#dropRecording();
    };
  }

  #replaceKey(data: string): boolean {
    if (matchesKey(data, "escape")) {
      this.#endChange();
      this.#enter("normal");
      return true;
    }
    if (data.length !== 1 || data < " " || data === "\x7f") return false;
    this.#record(data);
    const at = this.#at;
    const end = Math.min(at + 1, lineEnd(this.#text, at));
    this.#change(at, end, data, at + 1, true);
    return true;
  }

  #repeat(count: number): void {
    const keys = this.#lastChange;
    this.#isRepeating = true;
    for (let left = count; left > 0; left -= 1) {
      for (const key of keys) if (!this.handle(key)) this.#editor.handleInput(key);
    }
    this.#isRepeating = false;
    this.#lastChange = keys;
  }

  #record(data: string): void {
    if (!this.#isRepeating) this.#recording.push(data);
  }

  #endChange(): void {
    if (this.#recording.length > 0 && !this.#isRepeating) {
      this.#lastChange = this.#mode === "normal" ? this.#recording : [...this.#recording, "\x1b"];
    }
    this.#recording = [];
  }

  #dropRecording(): void {
    if (this.#operator === undefined) this.#recording = [];
  }

  #cancel(): void {
    this.#enter("normal");
    this.#recording = [];
    this.#move(this.#at);
  }

  #enter(mode: Mode): void {
    this.#mode = mode;
    this.#count = "";
    this.#operator = undefined;
    this.#next = undefined;
    this.#prefix = "";
    this.#register = "";
  }

  #insertAt(at: number): true {
    this.#mode = "insert";
    this.#operator = undefined;
    this.#editor.moveTo(positionOf(this.#text, at));
    return true;
  }

  #takeCount(): number {
    const count = Math.min(9999, Number(this.#count || 1));
    this.#count = "";
    return count;
  }

  #moveBy(move: Motion, count: number): void {
    let at = this.#at;
    for (let left = count; left > 0; left -= 1) at = move(this.#text, at) ?? at;
    this.#move(at);
  }

  get #text(): string {
    return this.#editor.getLines().join("\n");
  }

  get #at(): number {
    const { line, col } = this.#editor.position;
    const before = this.#editor.getLines().slice(0, line);
    return before.reduce((sum, { length }) => sum + length + 1, col);
  }

  /** Moves the cursor; outside of insert mode it stays on a character. */
  #move(at: number): void {
    const text = this.#text;
    const end = lineEnd(text, Math.min(at, text.length));
    const last = Math.max(lineStart(text, end), end - 1);
    this.#editor.moveTo(positionOf(text, Math.min(at, last)));
  }

  #change(from: number, until: number, put: string, at: number, isInsert = false): void {
    const text = this.#text;
    const changed = `${text.slice(0, from)}${put}${text.slice(until)}`;
    this.#editor.replace(changed.split("\n"), positionOf(changed, at));
    if (!isInsert && put !== "\n") this.#move(at);
  }
}

function motionNamed(name: string): { move: Motion; kind: MotionKind } | undefined {
  return Object.hasOwn(motions, name) ? motions[name as MotionName] : undefined;
}

function isTyped(key: string, typed: string): boolean {
  if (key === typed) return true;
  return key.length > 1 && !key.includes(" ") && matchesKey(typed, key as KeyId);
}

function switchCase(letter: string): string {
  return letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase();
}

function positionOf(text: string, at: number): { line: number; col: number } {
  const before = text.slice(0, at).split("\n");
  return { line: before.length - 1, col: (before.at(-1) ?? "").length };
}
