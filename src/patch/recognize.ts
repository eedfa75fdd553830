import type { PatchError } from "./hunk.js";
import { type ParsedPatch, parsePatch } from "./parse.js";
import { readPatchScript } from "./patch-script.js";

/** Result of {@link recognizePatchCall}. */
export type PatchCall =
  /** An ordinary command. */
  | { kind: "none" }
  /**
   * A call of apply_patch. Relative paths are resolved from `workdir`, which may itself be
   * relative.
   */
  | { kind: "patch"; patch: ParsedPatch; workdir: string | undefined }
  /** A call of apply_patch with an invalid patch. */
  | { kind: "invalid"; error: PatchError }
  /** A patch instead of a command; `message` is returned to the model. */
  | { kind: "implicit"; message: string };

const NAMES = new Set(["apply_patch", "applypatch"]);
const IMPLICIT =
  'This is a patch, not a command. Call the apply_patch tool, or run ["apply_patch", "<patch>"].';

/**
 * Detects a command line that calls apply_patch, which is then never started as a process.
 *
 * Only unambiguous forms are recognized: two words, or a shell script that consists of the call
 * with a here-document, optionally after one `cd DIR &&`.
 */
export function recognizePatchCall(argv: readonly string[]): PatchCall {
  const [first, second] = argv;
  if (first === undefined) return { kind: "none" };
  if (argv.length === 1) {
    return isPatch(first) ? { kind: "implicit", message: IMPLICIT } : { kind: "none" };
  }
  if (argv.length === 2 && second !== undefined && NAMES.has(first)) return toCall(second);

  const script = shellScript(argv);
  if (script === undefined) return { kind: "none" };
  if (isPatch(script)) return { kind: "implicit", message: IMPLICIT };
  const call = readPatchScript(script, NAMES);
  return call ? toCall(call.body, call.workdir) : { kind: "none" };
}

function toCall(body: string, workdir?: string): PatchCall {
  const parsed = parsePatch(body);
  if (!parsed.ok) return { kind: "invalid", error: parsed.error };
  return { kind: "patch", patch: parsed.patch, workdir };
}

function isPatch(text: string): boolean {
  return /^\s*(\*\*\* Begin Patch|<<)/.test(text) && parsePatch(text).ok;
}

/**
 * Returns the script of `bash -lc SCRIPT` and similar; models use here-documents in all of them.
 */
function shellScript(argv: readonly string[]): string | undefined {
  const shell = shellName(argv[0] ?? "");
  const isPowerShell = shell === "pwsh" || shell === "powershell";
  const skip = isPowerShell && argv.length === 4 && argv[1]?.toLowerCase() === "-noprofile" ? 1 : 0;
  if (argv.length !== 3 + skip) return undefined;
  const flag = argv[1 + skip] ?? "";
  const script = argv[2 + skip];
  if (shell === "bash" || shell === "zsh" || shell === "sh") {
    return flag === "-lc" || flag === "-c" ? script : undefined;
  }
  if (isPowerShell) return flag.toLowerCase() === "-command" ? script : undefined;
  return shell === "cmd" && flag.toLowerCase() === "/c" ? script : undefined;
}

function shellName(path: string): string {
  const name = path.split(/[/\\]/).at(-1) ?? "";
  return name.replace(/(.)\.[^.]*$/, "$1").toLowerCase();
}
