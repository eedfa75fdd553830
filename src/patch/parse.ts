import type { Hunk, PatchError } from "./hunk.js";
import { MAX_PATCH_LENGTH, TOO_LONG } from "./limits.js";
import { BEGIN_PATCH, END_PATCH, NO_BEGIN, NO_END, PatchStream } from "./patch-stream.js";

/** A parsed patch. */
export interface ParsedPatch {
  /** The text from its first to its last line, without a surrounding here-document. */
  text: string;
  hunks: Hunk[];
  environmentId?: string;
}

/** Result of {@link parsePatch}. */
export type PatchParse = { ok: true; patch: ParsedPatch } | { ok: false; error: PatchError };

/** Options for {@link parsePatch}. */
export interface ParseOptions {
  /** `lenient`, the default, also accepts a patch wrapped in `<<EOF` … `EOF`. */
  mode?: "strict" | "lenient";
}

/** Parses a patch. Never throws, and takes linear time. */
export function parsePatch(text: string, options: ParseOptions = {}): PatchParse {
  if (text.length > MAX_PATCH_LENGTH) return failed(TOO_LONG);
  const whole = text.trim();
  const problem = boundaryProblem(whole);
  if (problem === undefined) return parseBody(whole);
  const inner = options.mode === "strict" ? undefined : withoutHereDocument(whole);
  if (inner === undefined) return failed(problem);
  const innerProblem = boundaryProblem(inner);
  return innerProblem === undefined ? parseBody(inner) : failed(innerProblem);
}

function parseBody(body: string): PatchParse {
  const text = body.replaceAll("\r\n", "\n");
  const stream = new PatchStream();
  const error = stream.push(text) ?? stream.finish();
  if (error) return { ok: false, error };
  const { hunks, environmentId } = stream;
  return {
    ok: true,
    patch: environmentId === undefined ? { text, hunks } : { text, hunks, environmentId },
  };
}

function boundaryProblem(text: string): string | undefined {
  if (text === "") return NO_END;
  if (firstLine(text).trim() !== BEGIN_PATCH) return NO_BEGIN;
  if (lastLine(text).trim() !== END_PATCH) return NO_END;
  return undefined;
}

/** Some models include the here-document literally, without a shell that would strip it. */
function withoutHereDocument(text: string): string | undefined {
  const first = firstLine(text);
  const last = lastLine(text);
  const opens = first === "<<EOF" || first === "<<'EOF'" || first === '<<"EOF"';
  if (!opens || !last.endsWith("EOF")) return undefined;
  const start = text.indexOf("\n") + 1;
  const end = text.lastIndexOf("\n");
  const inner = end > start ? text.slice(start, end) : "";
  return inner.includes("\n") ? inner : undefined;
}

function firstLine(text: string): string {
  const end = text.indexOf("\n");
  return withoutReturn(end < 0 ? text : text.slice(0, end));
}

function lastLine(text: string): string {
  return withoutReturn(text.slice(text.lastIndexOf("\n") + 1));
}

function withoutReturn(line: string): string {
  return line.endsWith("\r") ? line.slice(0, -1) : line;
}

function failed(message: string): PatchParse {
  return { ok: false, error: { kind: "invalid_patch", message } };
}
