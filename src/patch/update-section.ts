import type { UpdateChunk, UpdateHunk } from "./hunk.js";

const MOVE_TO = "*** Move to: ";
const END_OF_FILE = "*** End of File";
const NO_LINES = { message: "Update hunk does not contain any lines" };

/**
 * A problem with a line of an update section: `not_mine` for an unknown `***` line, `empty` if the
 * section ends before its first chunk, or the error message.
 */
export type UpdateProblem = "not_mine" | "empty" | { message: string };

/** Adds a line to an update section; returns the problem, if there is one. */
export function readUpdateLine(hunk: UpdateHunk, line: string): UpdateProblem | undefined {
  const trimmed = line.trimEnd();
  const chunk = hunk.chunks.at(-1);
  if (!chunk && line === "") return undefined; // blank line before the first chunk
  if (!chunk && hunk.movePath === undefined && trimmed.startsWith(MOVE_TO)) {
    hunk.movePath = trimmed.slice(MOVE_TO.length);
    return undefined;
  }
  if (trimmed === "@@" || trimmed.startsWith("@@ ")) return beginChunk(hunk, line, trimmed);
  if (chunk?.endOfFile) return trimmed === "" ? undefined : betweenChunks(line);
  if (trimmed === END_OF_FILE) return endFile(chunk);

  const sign = line === "" ? " " : line[0];
  if (sign === " " || sign === "+" || sign === "-") {
    const target = chunk ?? addChunk(hunk, undefined);
    target.lines.push(line === "" ? " " : line);
    return undefined;
  }
  if (!chunk) return line.startsWith("***") ? "empty" : unexpected(line);
  return chunk.lines.length === 0 ? unexpected(line) : betweenChunks(line);
}

/**
 * Returns the problem if an update section is incomplete when the next section or the end of the
 * patch follows.
 */
export function unfinishedUpdate(
  hunk: UpdateHunk,
  nextLine: string,
  isEnd: boolean,
): UpdateProblem | undefined {
  const chunk = hunk.chunks.at(-1);
  if (!chunk) return "empty";
  if (chunk.lines.length > 0) return undefined;
  return isEnd ? NO_LINES : unexpected(nextLine);
}

function beginChunk(hunk: UpdateHunk, line: string, trimmed: string): UpdateProblem | undefined {
  if (hunk.chunks.at(-1)?.lines.length === 0) return unexpected(line);
  addChunk(hunk, trimmed === "@@" ? undefined : trimmed.slice("@@ ".length));
  return undefined;
}

function addChunk(hunk: UpdateHunk, context: string | undefined): UpdateChunk {
  const chunk: UpdateChunk = { context, lines: [], endOfFile: false };
  hunk.chunks.push(chunk);
  return chunk;
}

function endFile(chunk: UpdateChunk | undefined): UpdateProblem | undefined {
  if (!chunk) return "empty";
  if (chunk.lines.length === 0) return NO_LINES;
  chunk.endOfFile = true;
  return undefined;
}

function betweenChunks(line: string): UpdateProblem {
  if (line.startsWith("***")) return "not_mine";
  return { message: `Expected update hunk to start with a @@ context marker, got: '${line}'` };
}

function unexpected(line: string): UpdateProblem {
  const signs = "' ' (context line), '+' (added line), or '-' (removed line)";
  return {
    message: `Unexpected line found in update hunk: '${line}'. Every line should start with ${signs}`,
  };
}
