/**
 * The characters of a text as people count them.
 *
 * The segmenter takes time by the square of what it is given, so that it gets a long text in pieces;
 * these end where a plain letter follows, or else after a thousand.
 */
export function graphemes(text: string): string[] {
  const segmenter = new Intl.Segmenter(undefined, { granularity: "grapheme" });
  return piecesOf(text).flatMap((piece) =>
    Array.from(segmenter.segment(piece), ({ segment }) => segment),
  );
}

/** A long text in pieces that can be measured by themselves. */
export function piecesOf(text: string): string[] {
  return text.match(/[\s\S]{1,500}[^\x20-\x7e]{0,500}/gu) ?? [];
}
