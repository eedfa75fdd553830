import { newLines, oldLines, type UpdateChunk } from "./hunk.js";
import { LineFinder } from "./line-finder.js";
import { joinSource, type SourceLine, splitSource } from "./source-text.js";

/**
 * Line endings of an updated file. `keep`: unchanged lines are untouched, and added lines end as
 * the first line of the file does. `lf`: changed lines end with a line feed, and unchanged lines
 * are written as the patch spells them (the behavior of 2025).
 */
export type LineEndings = "keep" | "lf";

/** The text after an update, or the reason why the chunks do not match. */
export type NewContents = { ok: true; text: string } | { ok: false; message: string };

/** Replaces `length` lines from `start` on. */
interface Replacement {
  start: number;
  length: number;
  lines: string[];
}

type Replacements = { ok: true; list: Replacement[] } | { ok: false; message: string };

/** Applies chunks to a text; `path` is only used in messages. */
export function newContents(
  text: string,
  chunks: readonly UpdateChunk[],
  { path, lineEndings }: { path: string; lineEndings: LineEndings },
): NewContents {
  return lineEndings === "keep"
    ? keepLineEnds(text, chunks, path)
    : normalizeLineEnds(text, chunks, path);
}

function keepLineEnds(text: string, chunks: readonly UpdateChunk[], path: string): NewContents {
  const source = splitSource(text);
  const lines = source.lines.map((line) => line.text);
  const found = findReplacements(lines, chunks, path, "keep");
  if (!found.ok) return found;

  const result: SourceLine[] = [];
  let position = 0;
  for (const { start, length, lines: added } of found.list) {
    while (position < start) result.push(source.lines[position++] as SourceLine);
    for (const line of added) result.push({ text: line, ending: source.ending });
    position = Math.max(position, start + length);
  }
  while (position < lines.length) result.push(source.lines[position++] as SourceLine);
  return { ok: true, text: joinSource({ ...source, lines: result }) };
}

function normalizeLineEnds(
  text: string,
  chunks: readonly UpdateChunk[],
  path: string,
): NewContents {
  const lines = text.split("\n");
  if (lines.at(-1) === "") lines.pop();
  const found = findReplacements(lines, chunks, path, "lf");
  if (!found.ok) return found;

  // From the bottom up: here a chunk at the end of the file can overlap an earlier one and then
  // replaces lines that it added. `rest` holds the following lines, in reverse order.
  const rest: string[] = [];
  let position = lines.length;
  for (const { start, length, lines: added } of found.list.reverse()) {
    while (position > start) rest.push(lines[--position] as string);
    rest.length = Math.max(0, rest.length - length);
    for (let index = added.length; index > 0; ) rest.push(added[--index] as string);
  }
  while (position > 0) rest.push(lines[--position] as string);
  if (rest[0] !== "") rest.unshift("");
  return { ok: true, text: rest.reverse().join("\n") };
}

function findReplacements(
  lines: readonly string[],
  chunks: readonly UpdateChunk[],
  path: string,
  lineEndings: LineEndings,
): Replacements {
  const finder = new LineFinder(lines);
  // In 2025, an addition went before an empty last line.
  const isBefore = lineEndings === "lf" && lines.at(-1) === "";
  const end = isBefore ? lines.length - 1 : lines.length;
  const list: Replacement[] = [];
  let position = 0;
  for (const chunk of chunks) {
    if (chunk.context !== undefined) {
      const index = finder.find([chunk.context], { start: position });
      if (index === undefined) {
        return missing(finder, `Failed to find context '${chunk.context}' in ${path}`, path);
      }
      position = index + 1;
    }
    const old = oldLines(chunk);
    if (old.length === 0) {
      list.push({ start: end, length: 0, lines: newLines(chunk) });
      continue;
    }
    const found = findChunk(finder, chunk, { old, position, end, lineEndings });
    if (!found) {
      const message = `Failed to find expected lines in ${path}:\n${old.join("\n")}`;
      return missing(finder, message, path);
    }
    addReplacements(list, found, lineEndings);
    position = found.start + found.length;
  }
  // The sort is stable: replacements at the same line stay in the order of the patch.
  return { ok: true, list: list.sort((a, b) => a.start - b.start) };
}

interface FoundChunk {
  start: number;
  length: number;
  lines: readonly string[];
}

function findChunk(
  finder: LineFinder,
  chunk: UpdateChunk,
  place: { old: string[]; position: number; end: number; lineEndings: LineEndings },
): FoundChunk | undefined {
  const { old, lineEndings } = place;
  const options = {
    start: place.position,
    atEnd: chunk.endOfFile,
    mayOverlap: lineEndings === "lf",
  };
  const start = finder.find(old, options);
  if (start !== undefined) return { start, length: old.length, lines: chunk.lines };
  if (finder.exhausted || old.at(-1) !== "") return undefined;

  // A last empty line often means the end of the file, not a line of it.
  const shorter = finder.find(old.slice(0, -1), options);
  if (shorter === undefined) return undefined;
  return { start: shorter, length: old.length - 1, lines: withoutLastEmpty(chunk.lines) };
}

/** Drops the last empty old line, and the last new line if it is empty too. */
function withoutLastEmpty(lines: readonly string[]): string[] {
  const result = [...lines];
  const lastOld = result.findLastIndex((line) => !line.startsWith("+"));
  const lastNew = result.findLastIndex((line) => !line.startsWith("-"));
  const dropped = new Set<number>();
  if (result[lastNew]?.length === 1) dropped.add(lastNew);
  // An unchanged line without its old side is an added line.
  if (result[lastOld] === "-") dropped.add(lastOld);
  else result[lastOld] = "+";
  return result.filter((_, index) => !dropped.has(index));
}

/** Replaces only the lines between unchanged ones, which stay as the file has them. */
function addReplacements(list: Replacement[], found: FoundChunk, lineEndings: LineEndings): void {
  if (lineEndings === "lf") {
    const lines: string[] = [];
    for (const line of found.lines) if (!line.startsWith("-")) lines.push(line.slice(1));
    list.push({ start: found.start, length: found.length, lines });
    return;
  }
  let current: Replacement = { start: found.start, length: 0, lines: [] };
  for (const line of found.lines) {
    if (line.startsWith("-")) current.length += 1;
    else if (line.startsWith("+")) current.lines.push(line.slice(1));
    else {
      if (current.length > 0 || current.lines.length > 0) list.push(current);
      current = { start: current.start + current.length + 1, length: 0, lines: [] };
    }
  }
  if (current.length > 0 || current.lines.length > 0) list.push(current);
}

function missing(finder: LineFinder, message: string, path: string): Replacements {
  if (!finder.exhausted) return { ok: false, message };
  return {
    ok: false,
    message: `Failed to match the patch with ${path}: it takes too many comparisons; send it in parts`,
  };
}
