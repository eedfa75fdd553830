import { eastAsianWidth } from "get-east-asian-width";
import { visibleWidth } from "../pi.js";

/** Returns the width of styled text in columns. */
export function widthOf(text: string): number {
  if (ascii.test(text)) return text.length;
  const plain = text.includes("\x1b") ? text.replaceAll(styles, "") : text;
  // Combining characters are rare, and loading their tables takes 0.1 s.
  if (isSingle(plain)) return sum(plain);
  return piecesOf(plain).reduce((width, piece) => width + visibleWidth(piece), 0);
}

/** Returns whether every code unit is one character, so that the text can be cut anywhere. */
export function isSingle(text: string): boolean {
  return single.test(text);
}

const ascii = /^[\x20-\x7e]*$/;
const styles = /\x1b\[[\d;]*m|\x1b\]8;[^\x1b]*\x1b\\/g;
/** Letters, symbols and ideographs: none of them combines, and none is a filler. */
const single =
  /^[\x20-\x7e\xa1-\xac\xae-\u02ff\u0370-\u0482\u048a-\u052f\u2010-\u2027\u2030-\u205e\u20a0-\u20bf\u2100-\u2bff\u3001-\u3029\u3030-\u3098\u309b-\u3163\u3165-\u31ff\u3400-\u9fff\uac00-\ud7a3\uff01-\uff9f\uffa1-\uffee]*$/;

function sum(text: string): number {
  let width = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    width += code < 0x300 ? 1 : eastAsianWidth(code);
  }
  return width;
}

/**
 * Splits text into graphemes.
 *
 * The segmenter takes quadratic time, so long text is passed in pieces, which end before an ASCII
 * character if possible.
 */
export function graphemes(text: string): string[] {
  const segmenter = new Intl.Segmenter(undefined, { granularity: "grapheme" });
  return piecesOf(text).flatMap((piece) =>
    Array.from(segmenter.segment(piece), ({ segment }) => segment),
  );
}

/** Splits long text into pieces that can be measured separately. */
function piecesOf(text: string): string[] {
  return text.match(/[\s\S]{1,500}[^\x20-\x7e]{0,500}/gu) ?? [];
}
