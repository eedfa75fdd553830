import { afterEach, expect, test } from "vitest";
import { readKey } from "../../src/tui/keymap/key-names.js";
import { applyKeymap, readKeymap, vimKeymap } from "../../src/tui/keymap/keymap.js";
import { isKey, keyNames, mainKeys } from "../../src/tui/keys.js";

afterEach(() => applyKeymap({}));

test.each([
  ["ctrl-x", "ctrl+x"],
  ["alt-up", "alt+up"],
  ["shift-tab", "shift+tab"],
  ["page-down", "pageDown"],
  ["esc", "escape"],
  ["f12", "f12"],
  ["minus", "-"],
  ["ctrl-shift-k", "ctrl+shift+k"],
  ["G", "shift+g"],
  ["?", "?"],
  ["ctrl-bogus", undefined],
  ["f25", undefined],
  ["", undefined],
])("the key %j is %j", (text, key) => {
  expect(readKey(text)).toBe(key);
});

test("a keymap replaces keys, and other actions keep theirs", () => {
  const { keymap, problems } = readKeymap({
    global: { open_transcript: ["ctrl-t", "f2"] },
    chat: { edit_queued_message: [] },
    vim_normal: { move_left: "n", jump_bottom: "Z" },
  });
  expect(problems).toEqual([]);
  applyKeymap(keymap);
  expect(isKey(mainKeys.transcript, "\x1bOQ")).toBe(true);
  expect(isKey(mainKeys.transcript, "\x14")).toBe(true);
  expect(keyNames(mainKeys.transcript)).toBe("Ctrl+T, F2");
  expect(isKey(mainKeys.editQueued, "\x1b[1;3A")).toBe(false);
  expect(isKey(mainKeys.editor, "\x07")).toBe(true);
  const { vim_normal } = vimKeymap(keymap);
  expect(vim_normal).toMatchObject({
    move_left: ["n"],
    jump_bottom: ["Z"],
    move_right: expect.anything(),
  });
});

test.each([
  [{ globl: {} }, "`tui.keymap.globl`: unknown context", "Did you mean global?"],
  [
    { global: { open_transcrip: "f2" } },
    "`tui.keymap.global.open_transcrip`: unknown action",
    "Did you mean open_transcript?",
  ],
  [
    { chat: { toggle_voice: "f2" } },
    "`tui.keymap.chat.toggle_voice` has no effect",
    "There is no such action here",
  ],
  [
    { pager: { close: "hyper-q" } },
    '`tui.keymap.pager.close`: "hyper-q" is not a key',
    expect.stringContaining("Expected a character, f1 to f24"),
  ],
  [{ pager: { close: 7 } }, "`tui.keymap.pager.close`: 7 is not a key", expect.any(String)],
])("the mistake in %j is reported", (value, text, hint) => {
  expect(readKeymap(value)).toEqual({ keymap: {}, problems: [{ text, hint }] });
});
