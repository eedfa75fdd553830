/** A text prepared for search: one code unit per character. */
export interface FoldedText {
  /** In its original case. */
  plain: string;
  /** Without case and accents. */
  folded: string;
}

/** Prepares a text; positions in both forms count characters, not code units. */
export function foldText(text: string): FoldedText {
  if (isAscii(text)) return { plain: text, folded: text.toLowerCase() };
  const chars = [...text];
  return {
    plain: chars.map((char) => (char.length === 1 ? char : unknown)).join(""),
    folded: chars.map(foldChar).join(""),
  };
}

/** Replaces characters of more than one code unit, which are not searched for. */
const unknown = "\ufffd";

function foldChar(char: string): string {
  if (char.length > 1) return unknown;
  const base = char.normalize("NFD").charAt(0).toLowerCase();
  return base.length === 1 ? base : base.charAt(0);
}

function isAscii(text: string): boolean {
  for (let index = 0; index < text.length; index++) {
    if (text.charCodeAt(index) > 127) return false;
  }
  return true;
}

/**
 * Returns the letters and digits of a folded text as bits, to skip most texts without a match.
 * Characters share bits; a text that lacks a bit of the needle cannot match.
 */
export function letterMask(folded: string): number {
  let mask = 0;
  for (let index = 0; index < folded.length; index++) {
    mask |= 1 << (folded.charCodeAt(index) & 31);
  }
  return mask;
}
