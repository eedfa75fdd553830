import { type KeyId, matchesKey } from "./pi.js";

/** A key of the terminal UI and what it does; docs and the help page are made from these. */
export interface KeyBinding {
  keys: readonly KeyId[];
  help: string;
}

/** The keys that are always there. */
export const mainKeys = {
  send: { keys: ["enter"], help: "Send; while it works: give it to the running turn" },
  queue: { keys: ["tab"], help: "While it works: keep it for the turn after this one" },
  newLine: { keys: ["shift+enter", "alt+enter", "ctrl+j"], help: "Begin a new line" },
  interrupt: {
    keys: ["escape"],
    help: "Interrupt the turn; twice at rest: go back to an earlier message",
  },
  clear: { keys: ["ctrl+c"], help: "Clear the composer, interrupt the turn, or twice: quit" },
  quit: { keys: ["ctrl+d"], help: "Quit, when the composer is empty" },
  older: { keys: ["up"], help: "An earlier message, when the composer is empty" },
  editQueued: { keys: ["alt+up"], help: "Take back the message queued last" },
  searchHistory: { keys: ["ctrl+r"], help: "Search the messages you sent" },
  editor: { keys: ["ctrl+g"], help: "Write in $VISUAL or $EDITOR" },
  pasteImage: { keys: ["ctrl+v"], help: "Paste a picture from the clipboard" },
  transcript: { keys: ["ctrl+t"], help: "The whole conversation, with nothing folded" },
  mode: { keys: ["shift+tab"], help: "Plan first, or work at once" },
  redraw: { keys: ["ctrl+l"], help: "Draw the screen anew" },
  help: { keys: ["?"], help: "This list, when the composer is empty" },
} as const satisfies Readonly<Record<string, KeyBinding>>;

/** The keys that answer a question of the agent. */
export const approvalKeys = {
  once: { keys: ["y"], help: "Yes, this time" },
  session: { keys: ["a"], help: "Yes, and do not ask again in this session" },
  prefix: { keys: ["p"], help: "Yes, and never ask again for commands that begin like this" },
  decline: { keys: ["n"], help: "No, go on without it" },
  instruct: { keys: ["d"], help: "No, and tell it what to do instead" },
  view: { keys: ["v"], help: "See all of it" },
  cancel: { keys: ["escape", "ctrl+c"], help: "No, and stop the turn" },
} as const satisfies Readonly<Record<string, KeyBinding>>;

/** The keys of the pages: the whole conversation, a diff, a help page. */
export const pageKeys = {
  up: { keys: ["up", "k"], help: "A line up" },
  down: { keys: ["down", "j", "enter"], help: "A line down" },
  pageUp: { keys: ["pageUp", "b"], help: "A page up" },
  pageDown: { keys: ["pageDown", "space"], help: "A page down" },
  top: { keys: ["home", "g"], help: "To the top" },
  bottom: { keys: ["end", "shift+g"], help: "To the end" },
  close: { keys: ["q", "escape", "ctrl+c", "ctrl+t"], help: "Back" },
} as const satisfies Readonly<Record<string, KeyBinding>>;

/** Was one of the keys of a binding pressed? */
export function isKey(binding: KeyBinding, data: string): boolean {
  return binding.keys.some((key) => matchesKey(data, key));
}

/** The keys of a binding for people: `Shift+Enter, Ctrl+J`. */
export function keyNames({ keys }: KeyBinding): string {
  return keys
    .map((key) =>
      key
        .split("+")
        .map((part) => part.charAt(0).toUpperCase() + part.slice(1))
        .join("+"),
    )
    .join(", ");
}
