import { type ParsedScript, parse } from "unbash";

const longest = 200_000;
const mostBraces = 500;

/**
 * Parses a shell script, or gives nothing for one that the parser should not be troubled with.
 *
 * Such scripts are longer than a person would judge, or made to exhaust the parser: it takes time by
 * the square of the braces in one word, and its stack is finite. Syntax errors are in the tree.
 */
export function parseShell(script: string): ParsedScript | undefined {
  if (script.length > longest || hasOvergrownWord(script)) return undefined;
  try {
    return parse(script);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

function hasOvergrownWord(script: string): boolean {
  let braces = 0;
  for (let at = script.indexOf("{"); at !== -1; at = script.indexOf("{", at + 1)) {
    braces += 1;
    if (braces <= mostBraces) continue;
    return script.split(/\s/).some((word) => word.split("{").length > mostBraces);
  }
  return false;
}
