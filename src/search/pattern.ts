import { foldText } from "./folded-text.js";

/** How a word of a query must be in a path. */
export type WordKind = "fuzzy" | "substring" | "prefix" | "suffix" | "whole";

/** One word of a query. */
export interface Word {
  kind: WordKind;
  text: string;
  /** It must not be there. */
  negated: boolean;
  /** Looked for in the very case it is written in. */
  exactCase: boolean;
}

/** How a query is read. */
export interface PatternOptions {
  /** A word with a capital letter finds only what is written so. */
  smartCase: boolean;
}

/**
 * Reads what a user typed to find a file: words, all of which must be found.
 *
 * `^` before a word and `$` behind it say where it must stand, `'` that nothing comes between its
 * letters, and `!` that it must not be there. A backslash takes a blank or sign as it is.
 */
export function parsePattern(query: string, { smartCase }: PatternOptions): Word[] {
  return splitWords(query).flatMap((raw) => {
    const { kind, text, negated } = readWord(raw);
    if (text === "") return [];
    const exactCase = smartCase && /\p{Lu}/u.test(text);
    const { plain, folded } = foldText(text);
    return [{ kind, text: exactCase ? plain : folded, negated, exactCase }];
  });
}

function splitWords(query: string): string[] {
  return query.match(/(?:\\.|[^\s\\]|\\$)+/gsu) ?? [];
}

function readWord(raw: string): Pick<Word, "kind" | "text" | "negated"> {
  const negated = raw.startsWith("!");
  const word = negated ? raw.slice(1) : raw;
  const isPrefix = word.startsWith("^");
  const isSubstring = word.startsWith("'");
  const isSuffix = word.endsWith("$") && !word.endsWith("\\$");
  const from = isPrefix || isSubstring ? 1 : 0;
  const text = word.slice(from, isSuffix ? -1 : undefined).replaceAll(/\\([\s!^$'])/gu, "$1");
  const usual = negated || isSubstring ? "substring" : "fuzzy";
  const kind = isPrefix ? (isSuffix ? "whole" : "prefix") : isSuffix ? "suffix" : usual;
  return { kind, text, negated };
}
