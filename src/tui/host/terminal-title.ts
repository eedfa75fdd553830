import { runState, type StatusItemName, statusItems } from "../lines/status-items.js";
import type { Status } from "../state/status.js";
import { oneLine } from "../text/sanitize.js";
import { createTheme } from "../theme/theme.js";

type Environment = Readonly<Record<string, string | undefined>>;

/** Items of the title unless `tui.terminal_title` names others: `◆ project · waiting`. */
export const defaultTitleItems: readonly StatusItemName[] = ["project-name", "run-state"];

/** Longest title, in characters. */
const longest = 100;

/** Shows the state of the session outside the window: in its title and as its progress. */
export class TerminalTitle {
  /** Items of the title; no title if empty. */
  items: readonly StatusItemName[] = defaultTitleItems;
  readonly #write: (text: string) => void;
  readonly #hasTitle: boolean;
  readonly #hasProgress: boolean;
  #title = "";
  #progress = progressCodes.none;

  constructor(env: Environment, write: (text: string) => void) {
    this.#write = write;
    // The console of Linux would print the sequences.
    this.#hasTitle = env.TERM !== "dumb" && env.TERM !== "linux";
    this.#hasProgress = this.#hasTitle && supportsProgress(env);
  }

  /** Updates the terminal if the state has changed. */
  follow(status: Status): void {
    if (status.settings === undefined) return;
    const title = this.#hasTitle ? titleText(status, this.items) : "";
    const progress = this.#hasProgress ? progressOf(status) : progressCodes.none;
    let text = "";
    if (title !== this.#title) {
      // The first title saves the one before it.
      text += `${this.#title === "" ? "\x1b[22;0t" : ""}\x1b]0;${title}\x07`;
    }
    if (progress !== this.#progress) text += `\x1b]9;4;${progress}\x07`;
    this.#title = title;
    this.#progress = progress;
    if (text !== "") this.#write(text);
  }

  /** Restores the title that the terminal had before, and clears the progress. */
  end(): void {
    const title = this.#title === "" ? "" : "\x1b]0;\x07\x1b[23;0t";
    const progress =
      this.#progress === progressCodes.none ? "" : `\x1b]9;4;${progressCodes.none}\x07`;
    this.#title = "";
    this.#progress = progressCodes.none;
    if (title !== "" || progress !== "") this.#write(title + progress);
  }
}

const plain = createTheme("mono");

/** Formats the title: the mark of the state first, then the items. */
export function titleText(status: Status, items: readonly StatusItemName[]): string {
  const { mark, word } = runState(status);
  const texts = items.map((name) => {
    if (name === "run-state") return word === "ready" ? "" : word;
    return oneLine(statusItems[name].text(status, plain).replaceAll(/\x1b\[[\d;]*m/g, ""));
  });
  const text = texts.filter(Boolean).join(" · ");
  const whole = items.includes("run-state") && mark !== "" ? `${mark} ${text}` : text;
  return whole.slice(0, longest);
}

/** States of OSC 9;4: none, in error, running without a known end, paused. */
const progressCodes = { none: "0", failed: "2;100", running: "3", waiting: "4;100" };

function progressOf(status: Status): string {
  const { word } = runState(status);
  return progressCodes[word as keyof typeof progressCodes] ?? progressCodes.none;
}

/**
 * Returns whether the terminal shows progress (OSC 9;4).
 *
 * Others would show the sequence as a desktop notification, so only those known to support it get it.
 */
export function supportsProgress(env: Environment): boolean {
  const { TERM_PROGRAM = "", TERM_PROGRAM_VERSION = "", TERM = "" } = env;
  if (env.TMUX !== undefined || env.STY !== undefined) return false;
  if (env.WT_SESSION !== undefined || env.ConEmuANSI === "ON") return true;
  if (/ghostty/i.test(TERM_PROGRAM) || /ghostty/.test(TERM)) return true;
  if (TERM_PROGRAM === "iTerm.app") return isAtLeast(TERM_PROGRAM_VERSION, [3, 6, 6]);
  return Number(env.VTE_VERSION ?? 0) >= 7900;
}

function isAtLeast(version: string, least: readonly number[]): boolean {
  const parts = version.split(".").map(Number);
  for (const [index, part] of least.entries()) {
    const own = parts[index] ?? 0;
    if (own !== part) return own > part;
  }
  return true;
}
