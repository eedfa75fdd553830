import type { ParsedCommand } from "../../protocol/types.js";
import { splitWords } from "../quote.js";
import { onlyOperand } from "./operands.js";
import { shortPath } from "./paths.js";

/**
 * Parses a PowerShell script that is one plain `Get-Content FILE`.
 *
 * Anything that could be an expression, a list or a second command is not parsed: this is for
 * displaying a read, not for understanding PowerShell.
 */
export function readGetContent(script: string): ParsedCommand | undefined {
  const line = script.replaceAll("\\", "/");
  const [program, ...args] = splitWords(line) ?? line.trim().split(/\s+/);
  if (program === undefined || !/^(?:get-content|gc|type)$/i.test(program)) return undefined;
  // POSIX splitting must not have changed a word: PowerShell quotes differently.
  if (!args.every((arg) => line.includes(arg))) return undefined;
  if (!args.every((arg) => /^(?!-)|^-(?:raw|path|literalpath)$/i.test(arg))) return undefined;
  const path = onlyOperand(args);
  if (path === undefined || !/^[\p{L}\p{N} /.\-_:]+$/u.test(path)) return undefined;
  return { type: "read", cmd: script, name: shortPath(path), path };
}
