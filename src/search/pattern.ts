import { foldText } from "./folded-text.js";

/** Kind of match for a word. */
export type WordKind = "fuzzy" | "substring" | "prefix" | "suffix" | "whole";

/** A word of a query. */
export interface Word {
  kind: WordKind;
  text: string;
  /** The path must not match. */
  negated: boolean;
  /** Match case. */
  exactCase: boolean;
}

/** Options for {@link parsePattern}. */
export interface PatternOptions {
  /** Match case if the word contains a capital letter. */
  smartCase: boolean;
}

/**
 * Parses a query into words, all of which must match.
 *
 * `^word` matches at the start, `word$` at the end, `'word` as a substring, and `!word` excludes
 * matches. A backslash escapes a space or sign.
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
