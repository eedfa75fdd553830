/** Where a short text was found in a longer one, and how well it fits. */
export interface FuzzyMatch {
  /** The characters of the longer text that stand for those of the shorter one. */
  indices: number[];
  /** Less is better. */
  score: number;
}

/**
 * Finds the letters of a needle in their order, with others between them, whatever their case.
 *
 * Made for short lists that people choose from: the tighter the letters stand the better, and best
 * when the text begins with them. Returns nothing when a letter is missing.
 */
export function fuzzyMatch(haystack: string, needle: string): FuzzyMatch | undefined {
  if (needle === "") return { indices: [], score: worst };
  // A character can become several in lower case: each remembers where it came from.
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
