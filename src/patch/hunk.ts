/** A line of a chunk with its sign: a space (unchanged), `-` (removed) or `+` (added). */
export type ChunkLine = string;

/** A chunk of an `*** Update File:` section. */
export interface UpdateChunk {
  /** The line after `@@`, which precedes the chunk in the file. */
  context: string | undefined;
  lines: ChunkLine[];
  /** The chunk ends with `*** End of File`: its old lines are the last of the file. */
  endOfFile: boolean;
}

/** An `*** Add File:` section with the contents. */
export interface AddHunk {
  type: "add";
  path: string;
  contents: string;
}

/** A `*** Delete File:` section. */
export interface DeleteHunk {
  type: "delete";
  path: string;
}

/** An `*** Update File:` section, with the new path if the file is moved. */
export interface UpdateHunk {
  type: "update";
  path: string;
  movePath: string | undefined;
  chunks: UpdateChunk[];
}

/** A section of a patch. Paths are spelled as in the patch. */
export type Hunk = AddHunk | DeleteHunk | UpdateHunk;

/** A syntax error. `lineNumber` counts from 1 and is set for errors inside a section. */
export interface PatchError {
  kind: "invalid_patch" | "invalid_hunk";
  message: string;
  lineNumber?: number;
}

/** Returns the lines that a chunk expects in the file, without signs. */
export function oldLines(chunk: UpdateChunk): string[] {
  return unsigned(chunk, "+");
}

/** Returns the lines that a chunk leaves in the file, without signs. */
export function newLines(chunk: UpdateChunk): string[] {
  return unsigned(chunk, "-");
}

function unsigned(chunk: UpdateChunk, without: "+" | "-"): string[] {
  const lines: string[] = [];
  for (const line of chunk.lines) if (!line.startsWith(without)) lines.push(line.slice(1));
  return lines;
}
