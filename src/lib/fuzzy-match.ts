/** The position of a short text in a longer one, and how well it fits. */
export interface FuzzyMatch {
  /** Indices of the matched characters in the longer text. */
  indices: number[];
  /** Lower is better. */
  score: number;
}

/**
 * Finds the letters of a needle in order, ignoring case and letters in between.
 *
 * Made for short lists to choose from: the fewer gaps the better, and best at the start of the
 * text. Returns `undefined` if a letter is missing.
 */
export function fuzzyMatch(haystack: string, needle: string): FuzzyMatch | undefined {
  if (needle === "") return { indices: [], score: worst };
  // Lower-casing can turn one character into several; each keeps its original index.
  const lowered = [...haystack].flatMap((char, index) =>
    [...char.toLowerCase()].map((lower) => ({ lower, index })),
  );
  const wanted = [...needle].flatMap((char) => [...char.toLowerCase()]);
  const places: number[] = [];
  for (const [place, { lower }] of lowered.entries()) {
    if (lower === wanted[places.length]) places.push(place);
    if (places.length === wanted.length) break;
  }
  const [first, last] = [places[0], places.at(-1)];
  if (places.length < wanted.length || first === undefined || last === undefined) return undefined;
  const gaps = Math.max(0, last - first + 1 - wanted.length);
  const indices = places.map((place) => lowered[place]?.index ?? 0);
  return { indices: [...new Set(indices)], score: first === 0 ? gaps - startBonus : gaps };
}

const worst = 2 ** 31 - 1;
const startBonus = 100;
