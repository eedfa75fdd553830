import { type KeyId, matchesKey } from "../../pi.js";
import type { VimContext, VimKeymap } from "./keys.js";

/** Finds the actions of keys and of sequences of keys, such as `g g`. */
export class KeySequence {
  readonly #keymap: VimKeymap;
  #prefix = "";

  constructor(keymap: VimKeymap) {
    this.#keymap = keymap;
  }

  reset(): void {
    this.#prefix = "";
  }

  /** Returns the action of a key; `prefix` if it starts a sequence and the next one decides. */
  actionOf(context: VimContext, data: string): string | undefined {
    const typed = this.#prefix === "" ? data : `${this.#prefix} ${data}`;
    this.#prefix = "";
    const actions = this.#keymap[context];
    for (const [action, keys] of Object.entries(actions)) {
      if (keys.some((key) => isTyped(key, typed))) return action;
    }
    const isStart = Object.values(actions)
      .flat()
      .some((key) => key.startsWith(`${typed} `));
    if (!isStart) return undefined;
    this.#prefix = typed;
    return "prefix";
  }
}

function isTyped(key: string, typed: string): boolean {
  if (key === typed) return true;
  return key.length > 1 && !key.includes(" ") && matchesKey(typed, key as KeyId);
}
