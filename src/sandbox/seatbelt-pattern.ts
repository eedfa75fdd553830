import type { PathGlob } from "./rules/glob.js";

/**
 * Returns a regular expression of seatbelt for a path and everything below it, in any case.
 *
 * Characters that could end the literal or have a meaning become "any character": a denial may deny
 * more than it must.
 */
export function pathPattern(path: string): string {
  return `^${literal(path)}(/|$)`;
}

/** Returns a regular expression of seatbelt for the matches of a glob and everything below them. */
export function globPattern({ base, source }: Pick<PathGlob, "base" | "source">): string {
  if (source === "") return pathPattern(base);
  return `^${base === "/" ? "" : literal(base)}/${translate(source)}(/|$)`;
}

function literal(text: string): string {
  return [...text].map(toPattern).join("");
}

function toPattern(char: string): string {
  if (/[a-z]/i.test(char)) return `[${char.toLowerCase()}${char.toUpperCase()}]`;
  if (char === ".") return "\\.";
  if (/[0-9/_ -]/.test(char)) return char;
  // A character beyond ASCII has several bytes, and several spellings.
  return char > "\x7f" ? "[^/]+" : "[^/]";
}

/** Translates the source of a JavaScript expression, as globs have it. */
function translate(source: string): string {
  return source.replace(
    /\(\?:|\[\^\/\]|\[\^\/\]\+|\[(?:\\.|[^\]])*\]|\\(.)|[*+)]|./gsu,
    (token, escaped: string | undefined) => {
      if (token === "(?:") return "(";
      if (token === "*" || token === "+" || token === ")") return token;
      if (token.startsWith("[")) return characterSet(token);
      return toPattern(escaped ?? token);
    },
  );
}

function characterSet(set: string): string {
  const content = set.slice(1, -1);
  if (!/^\^?\/?[a-z0-9_. -]*$/i.test(content)) return "[^/]";
  const [, start = "", rest = ""] = /^(\^?\/?)(.*)$/s.exec(content) ?? [];
  const both = rest.toLowerCase() === rest.toUpperCase() ? rest : allCases(rest);
  return `[${start}${both}]`;
}

function allCases(text: string): string {
  return `${text.toLowerCase()}${text.toUpperCase()}`;
}
