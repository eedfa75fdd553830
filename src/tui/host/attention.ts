import { sanitize } from "../text/sanitize.js";

/** Value of `tui.notifications`: all, none, or the listed kinds. */
export type NotificationChoice = boolean | readonly string[];

/** Sends a desktop notification through the terminal while it is not focused. */
export class Attention {
  choice: NotificationChoice = true;
  readonly #write: (text: string) => void;
  /** Assumed for terminals that do not report their focus. */
  #isFocused = true;

  constructor(write: (text: string) => void) {
    this.#write = write;
  }

  /** Handles a focus report; returns whether the input was one. */
  follow(input: string): boolean {
    if (input !== "\x1b[I" && input !== "\x1b[O") return false;
    this.#isFocused = input === "\x1b[I";
    return true;
  }

  /** Rings the bell and shows a desktop notification (OSC 9). */
  call(kind: "agent-turn-complete" | "approval-requested", text: string): void {
    if (this.#isFocused || !this.#isWanted(kind)) return;
    const line = sanitize(text).replace(/\s+/g, " ").slice(0, 200);
    this.#write(`\x1b]9;${line}\x07\x07`);
  }

  #isWanted(kind: string): boolean {
    return typeof this.choice === "boolean" ? this.choice : this.choice.includes(kind);
  }
}

/** Sequences that switch focus reports on and off. */
export const focusReports = { on: "\x1b[?1004h", off: "\x1b[?1004l" };
