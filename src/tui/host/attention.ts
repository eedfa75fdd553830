import { sanitize } from "../text/sanitize.js";

/** What the user wants to be told of; members as `tui.notifications` has them. */
export type NotificationChoice = boolean | readonly string[];

/** Tells the user by the terminal that something waits, when they look elsewhere. */
export class Attention {
  choice: NotificationChoice = true;
  readonly #write: (text: string) => void;
  /** Terminals that do not say so are taken to be looked at. */
  #isFocused = true;

  constructor(write: (text: string) => void) {
    this.#write = write;
  }

  /** Follows the reports of the terminal; says whether this was one. */
  follow(input: string): boolean {
    if (input !== "\x1b[I" && input !== "\x1b[O") return false;
    this.#isFocused = input === "\x1b[I";
    return true;
  }

  /** Rings, and shows a note of the desktop where the terminal can. */
  call(kind: "agent-turn-complete" | "approval-requested", text: string): void {
    if (this.#isFocused || !this.#isWanted(kind)) return;
    const line = sanitize(text).replace(/\s+/g, " ").slice(0, 200);
    this.#write(`\x1b]9;${line}\x07\x07`);
  }

  #isWanted(kind: string): boolean {
    return typeof this.choice === "boolean" ? this.choice : this.choice.includes(kind);
  }
}

/** Asks the terminal to say when it gets and loses the focus; and to stop doing so. */
export const focusReports = { on: "\x1b[?1004h", off: "\x1b[?1004l" };
