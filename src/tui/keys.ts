import { isEditorKey, type KeyId, matchesKey } from "./pi.js";

/** Keys bound to an action. The docs and the help page are generated from these. */
export interface KeyBinding {
  keys: readonly KeyId[];
  help: string;
}

/** Keys of the composer. */
export const mainKeys = {
  send: {
    keys: ["enter"],
    help: "Send the message; while a turn runs: add it to the running turn",
  },
  queue: { keys: ["tab"], help: "While a turn runs: queue the message for the next turn" },
  newLine: { keys: ["shift+enter", "alt+enter", "ctrl+j"], help: "Insert a new line" },
  interrupt: {
    keys: ["escape"],
    help: "Interrupt the running turn; twice while idle: return to an earlier message",
  },
  clear: {
    keys: ["ctrl+c"],
    help: "Clear the composer or interrupt the running turn; twice while idle: quit",
  },
  quit: { keys: ["ctrl+d"], help: "Quit, if the composer is empty" },
  older: { keys: ["up"], help: "Recall an earlier message, at the start or end of the text" },
  editQueued: { keys: ["alt+up"], help: "Edit the last queued message" },
  searchHistory: { keys: ["ctrl+r"], help: "Search the messages you have sent" },
  editor: { keys: ["ctrl+g"], help: "Edit the message in $VISUAL or $EDITOR" },
  pasteImage: { keys: ["ctrl+v"], help: "Paste an image from the clipboard" },
  transcript: { keys: ["ctrl+t"], help: "Show the whole session, nothing folded" },
  mode: { keys: ["shift+tab"], help: "Switch plan mode on or off" },
  suspend: { keys: ["ctrl+z"], help: "Suspend; `fg` in the shell resumes" },
  redraw: { keys: ["ctrl+l"], help: "Redraw the screen" },
  copy: { keys: ["ctrl+o"], help: "Copy the last answer" },
  vim: { keys: [], help: "Switch the vim keys on or off" },
  help: { keys: ["?"], help: "Show this list, if the composer is empty" },
} as const satisfies Readonly<Record<string, KeyBinding>>;

/** More keys of the composer, for its text. */
export const composerKeys = {
  acceptSuggestion: {
    keys: ["right"],
    help: "At the end of the text: complete it with the suggestion from your messages",
  },
  undo: { keys: ["ctrl+-"], help: "Undo the last change of the text" },
  redo: { keys: ["alt+-"], help: "Redo what was undone" },
  openPaste: { keys: ["alt+o"], help: "Show the pasted text of the placeholder at the cursor" },
} as const satisfies Readonly<Record<string, KeyBinding>>;

/** Keys of an approval. */
export const approvalKeys = {
  once: { keys: ["y"], help: "Yes, approve once" },
  session: { keys: ["a"], help: "Yes, and don't ask again this session" },
  prefix: { keys: ["p"], help: "Yes, and don't ask again for commands that start the same way" },
  decline: { keys: ["n"], help: "No, deny and continue without it" },
  instruct: { keys: ["d"], help: "No, and tell the agent what to do instead" },
  view: { keys: ["v"], help: "View everything" },
  cancel: { keys: ["escape", "ctrl+c"], help: "No, deny and stop the turn" },
} as const satisfies Readonly<Record<string, KeyBinding>>;

/** Keys of full-screen pages: the transcript, a diff, the help page. */
export const pageKeys = {
  up: { keys: ["up", "k"], help: "One line up" },
  down: { keys: ["down", "j", "enter"], help: "One line down" },
  pageUp: { keys: ["pageUp", "b"], help: "One page up" },
  pageDown: { keys: ["pageDown", "space"], help: "One page down" },
  halfPageUp: { keys: ["ctrl+u"], help: "Half a page up" },
  halfPageDown: { keys: ["ctrl+d"], help: "Half a page down" },
  top: { keys: ["home", "g"], help: "To the top" },
  bottom: { keys: ["end", "shift+g"], help: "To the end" },
  close: { keys: ["q", "escape", "ctrl+c", "ctrl+t"], help: "Close the page" },
} as const satisfies Readonly<Record<string, KeyBinding>>;

/** Keys that the user has bound instead of the default ones, by binding. */
const userKeys = new Map<KeyBinding, readonly KeyId[]>();

/** Binds other keys; undefined restores the default ones. */
export function bindKeys(binding: KeyBinding, keys: readonly KeyId[] | undefined): void {
  if (keys === undefined) userKeys.delete(binding);
  else userKeys.set(binding, keys);
}

/** Returns the keys in use. */
export function keysOf(binding: KeyBinding): readonly KeyId[] {
  return userKeys.get(binding) ?? binding.keys;
}

/** Returns whether the input is a key of the binding. */
export function isKey(binding: KeyBinding, data: string): boolean {
  return keysOf(binding).some((key) => matchesKey(data, key));
}

const escapeKey = "\x1b";

/**
 * Splits Escape and a character that have arrived together; undefined for any other input.
 *
 * Terminals send the same for Alt with that character, so it is one key if an action is bound to it.
 */
export function splitEscape(data: string): [typeof escapeKey, string] | undefined {
  const [first, character = "", ...more] = data;
  const isBoth = first === escapeKey && character > "\x1f" && character !== "\x7f";
  if (!isBoth || more.length > 0) return undefined;
  const bindings: readonly KeyBinding[] = [
    ...Object.values(mainKeys),
    ...Object.values(composerKeys),
    ...Object.values(pageKeys),
  ];
  const isBound = isEditorKey(data) || bindings.some((binding) => isKey(binding, data));
  return isBound ? undefined : [escapeKey, character];
}

/** Formats keys for display: `Shift+Enter, Ctrl+J`. */
export function keyNames(binding: KeyBinding): string {
  return keysOf(binding)
    .map((key) =>
      key
        .split("+")
        .map((part) => keyNameOf[part] ?? part.charAt(0).toUpperCase() + part.slice(1))
        .join("+"),
    )
    .join(", ");
}

const keyNameOf: Readonly<Record<string, string>> = { escape: "Esc" };
