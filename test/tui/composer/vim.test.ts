import { expect, test } from "vitest";
import { ComposerEditor } from "../../../src/tui/composer/composer-editor.js";
import { vimKeys } from "../../../src/tui/composer/vim/keys.js";
import { Vim } from "../../../src/tui/composer/vim/vim.js";
import type { TUI } from "../../../src/tui/pi.js";

/** Types keys into a text, starting in normal mode at its start; returns the text with `|` at the cursor. */
function typed(text: string, keys: string): string {
  const plain = (words: string) => words;
  const selectList = {
    selectedPrefix: plain,
    selectedText: plain,
    description: plain,
    scrollInfo: plain,
    noMatch: plain,
  };
  const tui = { requestRender() {}, terminal: { rows: 24, columns: 80 } } as unknown as TUI;
  const editor = new ComposerEditor(tui, { borderColor: plain, selectList });
  const vim = new Vim(editor, vimKeys);
  editor.setText(text);
  vim.handle("\x1b");
  editor.moveTo({ line: 0, col: 0 });
  for (const key of keys) if (!vim.handle(key)) editor.handleInput(key);
  const { line, col } = editor.position;
  const lines = [...editor.getLines()];
  lines[line] = `${lines[line]?.slice(0, col)}|${lines[line]?.slice(col)}`;
  return lines.join("\n");
}

const esc = "\x1b";

test.each([
  // Motions and counts
  ["one two three", "w", "one |two three"],
  ["one two three", "2w", "one two |three"],
  ["one two three", "$", "one two thre|e"],
  ["one two three", "$b", "one two |three"],
  ["one two three", "e", "on|e two three"],
  ["a.b c", "W", "a.b |c"],
  ["  x", "$^", "  |x"],
  ["one\ntwo\nthree", "jj", "one\ntwo\n|three"],
  ["one\ntwo\nthree", "G", "one\ntwo\n|three"],
  ["one\ntwo\nthree", "Ggg", "|one\ntwo\nthree"],
  ["one two three", "ft", "one |two three"],
  ["one two three", "tt", "one| two three"],
  ["a-b-c-d", "f-;", "a-b|-c-d"],
  ["a-b-c-d", "f-;,", "a|-b-c-d"],
  ["a-b-c-d", "2f-", "a-b|-c-d"],
  ["a-b-c-d", "2f-x", "a-b|c-d"],
  // Insert
  ["one", `iX${esc}`, "|Xone"],
  ["one", `aX${esc}`, "o|Xne"],
  ["one", `AX${esc}`, "one|X"],
  ["one", `oX${esc}`, "one\n|X"],
  ["one", `OX${esc}`, "|X\none"],
  ["one", `Rxy${esc}`, "xy|e"],
  // Operators
  ["one two three", "dw", "|two three"],
  ["one two three", "d2w", "|three"],
  ["one two three", "2dw", "|three"],
  ["one two three", `cwX${esc}`, "|X two three"],
  ["one two three", "wD", "one| "],
  ["one two three", `wCX${esc}`, "one |X"],
  ["one\ntwo\nthree", "dd", "|two\nthree"],
  ["one\ntwo\nthree", "jjdd", "one\n|two"],
  ["one\ntwo\nthree", "2dd", "|three"],
  ["one\ntwo", "dj", "|"],
  ["one\ntwo", `ccX${esc}`, "|X\ntwo"],
  ["one two", "x", "|ne two"],
  ["one two", "3x", "| two"],
  ["one two", "rX", "|Xne two"],
  ["one two", "dft", "|wo"],
  ["one two", "dtt", "|two"],
  ["one two", "~~", "ON|e two"],
  ["one\n  two", "J", "one| two"],
  // Registers
  ["one two", "yyp", "one two\n|one two"],
  ["one\ntwo", "ddp", "two\n|one"],
  ["one two", "dwP", "one| two"],
  ["one two", 'wyw0"ayw"ap', "oone| ne two"],
  ["one two", 've"aywyw0"aP', "on|eone two"],
  // Text objects
  ["say (one two) now", "fodi(", "say (|) now"],
  ["say (one two) now", "foda(", "say | now"],
  ['say "one two" now', `fociwX${esc}`, 'say "|X two" now'],
  ['say "one two" now', 'fodi"', 'say "|" now'],
  ["one two three", "wdaw", "one |three"],
  // Repeat, undo, visual
  ["one two three", "dw.", "|three"],
  ["a\nb", `A!${esc}j.`, "a!\nb|!"],
  ["one two", "dwu", "|one two"],
  ["one two", "dwu\x12", "|two"],
  ["one two three", "ved", "| two three"],
  ["one\ntwo\nthree", "Vjd", "|three"],
  ["one two", `v${esc}x`, "|ne two"],
  // A command that cannot be done leaves the text
  ["one", "dfz", "|one"],
  ["one", "ciX", "|one"],
  ["one", "q", "|one"],
])("%j with the keys %j is %j", (text, keys, expected) => {
  expect(typed(text, keys)).toBe(expected);
});
