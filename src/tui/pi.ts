// Imports the parts of pi-tui that are used from their own files: its index also loads a Markdown
// parser and components that are not used.
import {
  KeybindingsManager,
  setKeybindings,
  TUI_KEYBINDINGS,
} from "@earendil-works/pi-tui/dist/keybindings.js";
import type { KeyId } from "@earendil-works/pi-tui/dist/keys.js";

export { Editor } from "@earendil-works/pi-tui/dist/components/editor.js";
export { Input } from "@earendil-works/pi-tui/dist/components/input.js";
export { fuzzyFilter } from "@earendil-works/pi-tui/dist/fuzzy.js";
export { type KeyId, matchesKey } from "@earendil-works/pi-tui/dist/keys.js";
export { ProcessTerminal, type Terminal } from "@earendil-works/pi-tui/dist/terminal.js";
export {
  calculateImageCellSize,
  encodeITerm2,
  encodeKitty,
  getImageDimensions,
} from "@earendil-works/pi-tui/dist/terminal-image.js";
export {
  type Component,
  CURSOR_MARKER,
  type Focusable,
  TUI,
} from "@earendil-works/pi-tui/dist/tui.js";
export { truncateToWidth, visibleWidth } from "@earendil-works/pi-tui/dist/utils.js";

/** Binds keys of the editor, by pi-tui's names; the others keep their default keys. */
export function setEditorKeys(keys: Readonly<Record<string, readonly KeyId[]>>): void {
  const bindings = Object.fromEntries(Object.entries(keys).map(([name, own]) => [name, [...own]]));
  setKeybindings(new KeybindingsManager(TUI_KEYBINDINGS, bindings));
}
