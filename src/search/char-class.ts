/** What kind of character one is; words begin where the kind changes. */
export type CharClass = (typeof charClasses)[keyof typeof charClasses];

/** The kinds. From `lower` on they are parts of words. */
export const charClasses = {
  blank: 0,
  sign: 1,
  delimiter: 2,
  lower: 3,
  upper: 4,
  letter: 5,
  digit: 6,
} as const;

/** The kind of a character by its code unit. */
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

/** How good it is when a match begins at a character, by its kind and the kind before it. */
export function bonusOf(before: CharClass, at: CharClass): number {
  if (at > charClasses.delimiter) {
    if (before === charClasses.delimiter) return afterDelimiter;
    if (before < charClasses.delimiter) return boundary;
  }
  if (before === charClasses.lower && at === charClasses.upper) return newWord;
  if (before !== charClasses.digit && at === charClasses.digit) return newWord;
  return at < charClasses.delimiter ? boundary : 0;
}

/** From this bonus on a character begins a word. */
export const boundaryBonus = boundary;
