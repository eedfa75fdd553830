/** Class of a character; a word starts where the class changes. */
export type CharClass = (typeof charClasses)[keyof typeof charClasses];

/** Character classes. Those from `lower` on are parts of words. */
export const charClasses = {
  blank: 0,
  sign: 1,
  delimiter: 2,
  lower: 3,
  upper: 4,
  letter: 5,
  digit: 6,
} as const;

/** Returns the class of a code unit. */
export function classOf(code: number): CharClass {
  return code < 128 ? asciiClass(code) : otherClass(String.fromCharCode(code));
}

function asciiClass(code: number): CharClass {
  if (code >= 97 && code <= 122) return charClasses.lower;
  if (code >= 65 && code <= 90) return charClasses.upper;
  if (code >= 48 && code <= 57) return charClasses.digit;
  if (code === 47 || code === 58) return charClasses.delimiter; // `/` and `:`
  return code === 32 || (code >= 9 && code <= 13) ? charClasses.blank : charClasses.sign;
}

function otherClass(char: string): CharClass {
  if (/\p{Ll}/u.test(char)) return charClasses.lower;
  if (/\p{Lu}/u.test(char)) return charClasses.upper;
  if (/\p{N}/u.test(char)) return charClasses.digit;
  if (/\p{Alphabetic}/u.test(char)) return charClasses.letter;
  return /\s/u.test(char) ? charClasses.blank : charClasses.sign;
}

const boundary = 8;
const afterDelimiter = boundary + 1;
const newWord = 5;

/**
 * Returns the bonus for a match that starts at a character, by its class and that of the previous
 * one.
 */
export function bonusOf(before: CharClass, at: CharClass): number {
  if (at > charClasses.delimiter) {
    if (before === charClasses.delimiter) return afterDelimiter;
    if (before < charClasses.delimiter) return boundary;
  }
  if (before === charClasses.lower && at === charClasses.upper) return newWord;
  if (before !== charClasses.digit && at === charClasses.digit) return newWord;
  return at < charClasses.delimiter ? boundary : 0;
}

/** Minimum bonus of a character that starts a word. */
export const boundaryBonus = boundary;
