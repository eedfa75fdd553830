import { foldText, letterMask } from "./folded-text.js";
import { positionsOf, type SearchText, scoreWords } from "./match-words.js";
import type { Word } from "./pattern.js";
import { bonusesOf, FuzzyScorer, noMatch } from "./score.js";
import { TopList } from "./top-list.js";

/** A path that can be searched. */
export interface Entry {
  /** Relative to the root, with slashes. */
  path: string;
  isFolder: boolean;
}

/** A path that matches a query. */
export interface PathMatch extends Entry {
  score: number;
  /** Positions of the matched characters. */
  indices: number[];
}

/** A list of paths, prepared for repeated searches. */
export class PathList {
  readonly #entries: Entry[] = [];
  readonly #texts: SearchText[] = [];
  #masks = new Int32Array(1024);
  readonly #scorer = new FuzzyScorer();

  get size(): number {
    return this.#entries.length;
  }

  add(entry: Entry): void {
    const text = foldText(entry.path);
    const index = this.#entries.push(entry) - 1;
    const bonuses = bonusesOf(text.plain);
    // Share one string between both forms if there are no capital letters.
    const folded = text.folded === text.plain ? text.plain : text.folded;
    this.#texts.push({ plain: text.plain, folded, bonuses });
    if (index === this.#masks.length) {
      const larger = new Int32Array(index * 2);
      larger.set(this.#masks);
      this.#masks = larger;
    }
    this.#masks[index] = letterMask(text.folded);
  }

  /** Returns the best matches; equal scores are in no particular order. */
  search(words: readonly Word[], limit: number): PathMatch[] {
    const wanted = words
      .filter(({ negated }) => !negated)
      .reduce((mask, { text }) => mask | letterMask(foldText(text).folded), 0);
    // Of equal scores, prefer shorter paths.
    const top = new TopList<number>(limit, (a, b) => {
      const [one, other] = [this.#pathOf(a), this.#pathOf(b)];
      return one.length - other.length || comparePaths(one, other);
    });
    for (let index = 0; index < this.#entries.length; index++) {
      if (((this.#masks[index] ?? 0) & wanted) !== wanted) continue;
      const score = scoreWords(this.#scorer, this.#textOf(index), words);
      if (score !== noMatch) top.add(index, score);
    }
    return top.sorted().map(({ item, score }) => ({
      path: this.#pathOf(item),
      isFolder: this.#entries[item]?.isFolder ?? false,
      score,
      indices: positionsOf(this.#textOf(item), words),
    }));
  }

  #pathOf(index: number): string {
    return this.#entries[index]?.path ?? "";
  }

  #textOf(index: number): SearchText {
    return this.#texts[index] ?? nothing;
  }
}

const nothing: SearchText = { plain: "", folded: "", bonuses: new Uint8Array() };

/** Orders paths with equal scores. */
export function comparePaths(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
