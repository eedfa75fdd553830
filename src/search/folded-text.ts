/** A text made ready to be searched: one code unit for each of its characters. */
export interface FoldedText {
  /** As it was written. */
  plain: string;
  /** Without case and accents. */
  folded: string;
}

/** Makes a text ready; positions in both forms count characters, not code units. */
export function foldText(text: string): FoldedText {
  if (isAscii(text)) return { plain: text, folded: text.toLowerCase() };
  const chars = [...text];
  return {
    plain: chars.map((char) => (char.length === 1 ? char : unknown)).join(""),
    folded: chars.map(foldChar).join(""),
  };
}

/** Stands for characters that take more than one code unit; nobody types them to search. */
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
 * Which letters and digits a folded text has, as bits, so that most texts without a match are passed
 * over at once. Characters share bits; what has a bit less than the needle has no match.
 */
export function letterMask(folded: string): number {
  let mask = 0;
  for (let index = 0; index < folded.length; index++) {
    mask |= 1 << (folded.charCodeAt(index) & 31);
  }
  return mask;
}
