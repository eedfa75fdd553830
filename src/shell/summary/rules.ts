import { literalWords } from "../plain-commands.js";
import type { PlainWordRules } from "../plain-word.js";
import { type Formatting, formatting2025, formatting2026, keepingWrites } from "./formatting.js";
import { sedWritesInPlace } from "./operands.js";
import type { Programs } from "./program.js";
import { programs2025 } from "./programs-2025.js";
import { programs2026 } from "./programs-2026.js";

/**
 * Differences between versions of the reference in summarizing commands (`parsed_cmd`).
 *
 * An era picks one of the presets below; no code checks which one it is.
 */
export interface ParsedCommandRules {
  /** Commands parsed as scripts: exactly `bash -lc`, or any POSIX shell. */
  shells: "bash -lc" | "any";
  /** Words that a script may contain to be split into commands. */
  words: PlainWordRules;
  /** Programs that can be summarized. */
  programs: Programs;
  /** Stages of a pipeline to omit. */
  isFormatting: Formatting;
  /**
   * `dropped`: a `cd` before other commands is omitted; `followed`: it also applies to the paths of
   * later reads.
   */
  cd: "dropped" | "followed";
  /** Adds the `path` of the file to a read, beside the short name. */
  readPath: boolean;
  /** Reports the whole command as one `unknown` if any stage cannot be summarized. */
  unknownTakesAll: boolean;
  /**
   * PowerShell: `argv` like any command, `script` as `unknown` with the script, `reads` with
   * Get-Content parsed.
   */
  powerShell: "argv" | "script" | "reads";
}

/** The reference of 2025-09 (0.39 to 0.45). */
export const rulesOf2025: ParsedCommandRules = {
  shells: "bash -lc",
  words: { unquoted: "source", pieces: "one" },
  programs: programs2025,
  isFormatting: formatting2025,
  cd: "dropped",
  readPath: false,
  unknownTakesAll: false,
  powerShell: "argv",
};

/** The reference of early 2026 (0.98 to 0.104). */
export const rulesOf2026: ParsedCommandRules = {
  shells: "any",
  words: { unquoted: "source", pieces: "many" },
  programs: programs2026,
  isFormatting: formatting2026,
  cd: "followed",
  readPath: true,
  unknownTakesAll: false,
  powerShell: "script",
};

/** The reference of late 2026 (0.166). */
export const latestRules: ParsedCommandRules = {
  ...rulesOf2026,
  words: literalWords,
  programs: withoutWrites(programs2026),
  isFormatting: keepingWrites(formatting2026),
  unknownTakesAll: true,
  powerShell: "reads",
};

/** The rules of 2025, extended by those of 2026 for commands that 2025 does not know. */
export const defaultRules: ParsedCommandRules = {
  ...rulesOf2026,
  programs: withoutWrites({ ...programs2026, ...programs2025 }),
  isFormatting: keepingWrites(formatting2025),
};

/** A `sed` that edits files in place is not a read, even if it prints. */
function withoutWrites(programs: Programs): Programs {
  const sed: Programs[string] = (args) =>
    sedWritesInPlace(args) ? undefined : programs.sed?.(args);
  return { ...programs, sed };
}
