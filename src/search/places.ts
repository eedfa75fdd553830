import { FuzzyScorer, gapMore, gapStart, type Haystack } from "./score.js";

/** Where the characters of a needle are in a text that matches it, in the way that scores best. */
export function fuzzyPlaces(haystack: Haystack, needle: string): number[] {
  const rows: Row[] = [];
  const scorer = new FuzzyScorer((first, last) => {
    const scores = scorer.scores.slice(first, last + 1);
    rows.push({ first, scores, follows: scorer.follows.slice(first, last + 1) });
  });
  scorer.score(haystack, needle);
  const places: number[] = [];
  const end = rows.at(-1);
  let place = end === undefined ? 0 : bestPlace(end, needle.length);
  for (let row = rows.length - 1; row >= 0; row--) {
    places.unshift(place);
    const [own, above] = [rows[row], rows[row - 1]];
    if (own === undefined || above === undefined) break;
    const follows = own.follows[place - own.first] === 1;
    place = follows ? place - 1 : beforeGap(above, place);
  }
  return places;
}

/** The scores of one character of the needle, from the first place where it can be. */
interface Row {
  first: number;
  scores: Uint16Array;
  follows: Uint8Array;
}

/** Of equal scores the last one counts; one character alone stands where it fits first. */
function bestPlace({ first, scores }: Row, length: number): number {
  let best = 0;
  for (const [column, score] of scores.entries()) {
    const than = scores[best] ?? 0;
    if (score > than || (length > 1 && score === than)) best = column;
  }
  return first + best;
}

/** Where the character before was when the gap up to a place cost least. */
function beforeGap({ first, scores }: Row, place: number): number {
  let gap = 0;
  let origin = 0;
  for (let column = 1; column < place - first; column++) {
    const begun = Math.max((scores[column - 1] ?? 0) - gapStart, 0);
    const longer = Math.max(gap - gapMore, 0);
    if (begun > longer) origin = column - 1;
    gap = Math.max(begun, longer);
  }
  return first + origin;
}
