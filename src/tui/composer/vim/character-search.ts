import { findInLine, type Motion } from "./motions.js";

interface Search {
  character: string;
  isForward: boolean;
  isTill: boolean;
}

/** Searches for a character in the line: on it (`find`) or before it (`till`), and again. */
export class CharacterSearch {
  #last: Search | undefined;

  /** Returns the motion of an action such as `till_forward`. */
  motion(action: string, character: string): Motion {
    const search = {
      character,
      isForward: isForward(action),
      isTill: action.startsWith("till"),
    };
    this.#last = search;
    return findInLine(character, search.isForward, search.isTill);
  }

  /** Returns the motion of the last search, in its direction or the other one. */
  again(isSameDirection: boolean): Motion | undefined {
    if (this.#last === undefined) return undefined;
    const { character, isForward, isTill } = this.#last;
    return findInLine(character, isForward === isSameDirection, isTill);
  }
}

/** Returns true if an action searches from the cursor to the end of the line. */
export function isForward(action: string): boolean {
  return action.endsWith("forward");
}
