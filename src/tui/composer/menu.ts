import { truncate, widthOf } from "../text/layout.js";
import { oneLine } from "../text/sanitize.js";
import type { Theme } from "../theme/theme.js";

/** A completion of the token at the cursor. */
export interface Completion {
  label: string;
  description?: string;
  /** Replacement for the token, including its sign. */
  insert: string;
  /** Selecting it submits the message at once, such as a command without arguments. */
  isComplete?: boolean;
}

/** Finds completions; rejects only when `signal` aborts. */
export type Complete = (token: CompletionToken, signal: AbortSignal) => Promise<Completion[]>;

/** Debounce before the server is asked. */
const restMs = 50;
const mostShown = 8;

/** The completion menu below the composer. */
export class Menu {
  readonly #complete: Complete;
  readonly #changed: () => void;
  #token: CompletionToken | undefined;
  #dismissed: CompletionToken | undefined;
  #items: readonly Completion[] = [];
  #selected = 0;
  #asking = new AbortController();
  /** True until the items are those of the token. */
  #isBehind = false;
  /** Called when they are, unless the token changes before. */
  #onFollowed: (() => void) | undefined;

  constructor(complete: Complete, changed: () => void) {
    this.#complete = complete;
    this.#changed = changed;
  }

  get isOpen(): boolean {
    return this.#items.length > 0;
  }

  /** True while the items of the token are on their way; those shown are of an earlier one. */
  get isBehind(): boolean {
    return this.#isBehind;
  }

  get token(): CompletionToken | undefined {
    return this.#token;
  }

  get chosen(): Completion | undefined {
    return this.#items[this.#selected];
  }

  /** Updates the menu for the token at the cursor; the old items stay until the new ones arrive. */
  follow(token: CompletionToken | undefined): void {
    if (token?.sign === this.#token?.sign && token?.query === this.#token?.query) return;
    this.#asking.abort();
    this.#isBehind = false;
    this.#onFollowed = undefined;
    this.#token = token;
    if (token === undefined || token.sign !== this.#dismissed?.sign) this.#dismissed = undefined;
    if (token === undefined || this.#dismissed !== undefined) {
      this.#items = [];
      return;
    }
    this.#asking = new AbortController();
    this.#isBehind = true;
    void this.#ask(token, this.#asking.signal);
  }

  /** Calls back once the items are those of the token; never if another one is typed first. */
  onceFollowed(callback: () => void): void {
    this.#onFollowed = callback;
  }

  /** Closes the menu until another token is typed. */
  dismiss(): void {
    this.#asking.abort();
    this.#isBehind = false;
    this.#dismissed = this.#token;
    this.#items = [];
  }

  move(by: number): void {
    const count = this.#items.length;
    this.#selected = (this.#selected + by + count) % count;
  }

  render(width: number, theme: Theme): string[] {
    const first = Math.max(
      0,
      Math.min(this.#selected - Math.floor(mostShown / 2), this.#items.length - mostShown),
    );
    const visible = this.#items.slice(first, first + mostShown);
    const column = Math.min(44, Math.max(0, ...visible.map(({ label }) => widthOf(label))));
    return visible.map(({ label, description }, index) => {
      const isChosen = first + index === this.#selected;
      const name = label + " ".repeat(Math.max(0, column - widthOf(label)));
      const shown = isChosen ? theme.selected(`› ${name}`) : `  ${name}`;
      return truncate(`  ${shown}  ${theme.dim(description ?? "")}`.trimEnd(), width);
    });
  }

  async #ask(token: CompletionToken, signal: AbortSignal): Promise<void> {
    if (token.sign === "@") await new Promise((resolve) => setTimeout(resolve, restMs));
    if (signal.aborted) return;
    const items = await this.#complete(token, signal).catch(() => []);
    if (signal.aborted) return;
    this.#items = items.map((item) => ({
      ...item,
      label: oneLine(item.label),
      ...(item.description === undefined ? {} : { description: oneLine(item.description) }),
    }));
    this.#selected = 0;
    this.#isBehind = false;
    const followed = this.#onFollowed;
    this.#onFollowed = undefined;
    followed?.();
    this.#changed();
  }
}

/** The token at the cursor. */
interface CompletionToken {
  /** `/` a command, `@` a file, `$` a skill. */
  sign: "/" | "@" | "$";
  /** The text between the sign and the cursor. */
  query: string;
}

/** Returns the token that ends at the cursor, given the text before it. */
export function completionToken(before: string): CompletionToken | undefined {
  const command = /^\/([^\s/]*)$/.exec(before);
  if (command !== null) return { sign: "/", query: command[1] ?? "" };
  const word = /(?:^|\s)([@$])([^\s@$]*)$/.exec(before);
  if (word === null) return undefined;
  // An amount of money, not a skill.
  if (word[1] === "$" && /^\d/.test(word[2] ?? "")) return undefined;
  return { sign: word[1] as "@" | "$", query: word[2] ?? "" };
}
