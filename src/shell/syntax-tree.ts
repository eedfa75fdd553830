import { type ParsedScript, parse } from "unbash";

const longest = 200_000;
const mostBraces = 500;

/**
 * Parses a shell script; returns `undefined` for one that could exhaust the parser.
 *
 * Such scripts are longer than a person could judge, or crafted: parsing time is quadratic in the
 * braces of one word, and the stack is limited. Syntax errors are in the tree. Callers share the tree
 * and must not change it.
 */
export function parseShell(script: string): ParsedScript | undefined {
  if (script.length > longest) return undefined;
  if (latest?.script !== script) latest = { script, tree: parseFresh(script) };
  return latest.tree;
}

/** The rules, the safety checks and the summary of a call parse the same script one after the other. */
let latest: { script: string; tree: ParsedScript | undefined } | undefined;

function parseFresh(script: string): ParsedScript | undefined {
  if (hasOvergrownWord(script)) return undefined;
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
