// Imports the parts of pi-tui that are used from their own files: its index also loads a Markdown
// parser and components that are not used.
export { Editor } from "@earendil-works/pi-tui/dist/components/editor.js";
export { Input } from "@earendil-works/pi-tui/dist/components/input.js";
export { fuzzyFilter } from "@earendil-works/pi-tui/dist/fuzzy.js";
export { type KeyId, matchesKey } from "@earendil-works/pi-tui/dist/keys.js";
export { ProcessTerminal, type Terminal } from "@earendil-works/pi-tui/dist/terminal.js";
export {
  type Component,
  CURSOR_MARKER,
  type Focusable,
  TUI,
} from "@earendil-works/pi-tui/dist/tui.js";
export { truncateToWidth, visibleWidth } from "@earendil-works/pi-tui/dist/utils.js";
