import { literalWords } from "../plain-commands.js";
import type { PlainWordRules } from "../plain-word.js";
import { type Formatting, formatting2025, formatting2026, keepingWrites } from "./formatting.js";
import { sedWritesInPlace } from "./operands.js";
import type { Programs } from "./program.js";
import { programs2025 } from "./programs-2025.js";
import { programs2026 } from "./programs-2026.js";

/**
 * What differs between versions of the reference in how it words a command (`parsed_cmd`).
 *
 * An era picks one of the presets below; nothing in the code asks which one it is.
 */
export interface ParsedCommandRules {
  /** Which commands are opened as scripts: `bash -lc` in just these words, or any POSIX shell. */
  shells: "bash -lc" | "any";
  /** Which words a script may consist of to be split into commands. */
  words: PlainWordRules;
  /** The programs that can be summarized. */
  programs: Programs;
  /** Which stages of a pipeline are left out. */
  isFormatting: Formatting;
  /** `dropped`: a `cd` with something after it is left out; `followed`: it also leads later reads. */
  cd: "dropped" | "followed";
  /** Whether a read carries the `path` of its file beside the short name. */
  readPath: boolean;
  /** Whether one stage that cannot be summarized turns the whole command into one `unknown`. */
  unknownTakesAll: boolean;
  /** PowerShell: `argv` like any command, `script` the script as `unknown`, `reads` with Get-Content read. */
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

/** What 2025 says, and 2026 where 2025 has nothing to say. */
export const defaultRules: ParsedCommandRules = {
  ...rulesOf2026,
  programs: withoutWrites({ ...programs2026, ...programs2025 }),
  isFormatting: keepingWrites(formatting2025),
};

/** A `sed` that edits files in place is not a read, whatever it prints. */
function withoutWrites(programs: Programs): Programs {
  const sed: Programs[string] = (args) =>
    sedWritesInPlace(args) ? undefined : programs.sed?.(args);
  return { ...programs, sed };
}
