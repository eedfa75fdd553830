// Imports the parts of pi-tui that are used from their own files: its index also loads a Markdown
// parser and components that are not used.
import {
  getKeybindings,
  KeybindingsManager,
  setKeybindings,
  TUI_KEYBINDINGS,
} from "@earendil-works/pi-tui/dist/keybindings.js";
import { matchesKey as isSameKey, type KeyId } from "@earendil-works/pi-tui/dist/keys.js";

export { Editor } from "@earendil-works/pi-tui/dist/components/editor.js";
export { Input } from "@earendil-works/pi-tui/dist/components/input.js";
export { fuzzyFilter } from "@earendil-works/pi-tui/dist/fuzzy.js";
export type { KeyId } from "@earendil-works/pi-tui/dist/keys.js";
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

/**
 * Returns whether the input is a key.
 *
 * Most input is text, which is compared with each of dozens of keys; only keys that are a character can be
 * the same.
 */
export function matchesKey(data: string, key: KeyId): boolean {
  return (!isText(data) || isCharacter(key)) && isSameKey(data, key);
}

function isText(data: string): boolean {
  const code = data.charCodeAt(0);
  return code >= 0x20 && code !== 0x7f;
}

/** Returns whether a key can be typed as text: a character or the space bar, alone or with Shift. */
function isCharacter(key: string): boolean {
  const base = key.startsWith("shift+") ? key.slice("shift+".length) : key;
  return base.length === 1 || base === "space";
}

/** The keys of the editor; text is compared only with those that are a character. */
class EditorKeys extends KeybindingsManager {
  readonly #characters: ReadonlySet<string>;

  constructor(own: Record<string, KeyId[]> = {}) {
    super(TUI_KEYBINDINGS, own);
    const names = Object.keys(TUI_KEYBINDINGS) as (keyof typeof TUI_KEYBINDINGS)[];
    this.#characters = new Set(names.filter((name) => this.getKeys(name).some(isCharacter)));
  }

  override matches(...[data, name]: Parameters<KeybindingsManager["matches"]>): boolean {
    return (!isText(data) || this.#characters.has(name)) && super.matches(data, name);
  }
}

/** Binds keys of the editor, by pi-tui's names; the others have their default keys. */
export function setEditorKeys(keys: Readonly<Record<string, readonly KeyId[]>> = {}): void {
  const own = Object.fromEntries(Object.entries(keys).map(([name, bound]) => [name, [...bound]]));
  setKeybindings(new EditorKeys(own));
}

/** Returns whether the editor has an action for the input. */
export function isEditorKey(data: string): boolean {
  const names = Object.keys(TUI_KEYBINDINGS) as (keyof typeof TUI_KEYBINDINGS)[];
  return names.some((name) => getKeybindings().matches(data, name));
}
