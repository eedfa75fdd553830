/** One line of a chunk with its sign in front: a space (kept), `-` (taken out) or `+` (put in). */
export type ChunkLine = string;

/** A stretch of lines of an `*** Update File:` section. */
export interface UpdateChunk {
  /** The line after `@@`, to be found above the chunk. */
  context: string | undefined;
  lines: ChunkLine[];
  /** The chunk was closed by `*** End of File`: its old lines are the last ones of the file. */
  endOfFile: boolean;
}

/** `*** Add File:` with the whole new text. */
export interface AddHunk {
  type: "add";
  path: string;
  contents: string;
}

/** `*** Delete File:`. */
export interface DeleteHunk {
  type: "delete";
  path: string;
}

/** `*** Update File:`, with where the file goes when it is moved too. */
export interface UpdateHunk {
  type: "update";
  path: string;
  movePath: string | undefined;
  chunks: UpdateChunk[];
}

/** One section of a patch: what happens to one file. Paths are as the patch spells them. */
export type Hunk = AddHunk | DeleteHunk | UpdateHunk;

/** Why a text is not a patch. `lineNumber` counts from 1 and is known for errors inside a section. */
export interface PatchError {
  kind: "invalid_patch" | "invalid_hunk";
  message: string;
  lineNumber?: number;
}

/** The lines a chunk expects in the file, without their signs. */
export function oldLines(chunk: UpdateChunk): string[] {
  return unsigned(chunk, "+");
}

/** The lines a chunk leaves in the file, without their signs. */
export function newLines(chunk: UpdateChunk): string[] {
  return unsigned(chunk, "-");
}

function unsigned(chunk: UpdateChunk, without: "+" | "-"): string[] {
  const lines: string[] = [];
  for (const line of chunk.lines) if (!line.startsWith(without)) lines.push(line.slice(1));
  return lines;
}
