import type { Hunk, UpdateChunk } from "../../src/patch/index.js";

/** Files of one folder by name; a missing name is a missing file. */
export type Files = Record<string, string>;

/**
 * Computes the result of a patch line by line in the simplest way, without any of the code under
 * test; undefined if it does not match. Files are LF text, names have no folders.
 */
export function expectedFiles(files: Files, hunks: readonly Hunk[]): Files | undefined {
  const result = new Map(Object.entries(files));
  for (const hunk of hunks) {
    const text = result.get(hunk.path);
    if (hunk.type === "add") {
      result.set(hunk.path, hunk.contents);
      continue;
    }
    if (text === undefined) return undefined;
    const changed = hunk.type === "update" ? changedText(text, hunk.chunks) : "";
    if (changed === undefined) return undefined;
    result.delete(hunk.path);
    if (hunk.type === "update") result.set(hunk.movePath ?? hunk.path, changed);
  }
  return Object.fromEntries(result);
}

function changedText(text: string, chunks: readonly UpdateChunk[]): string | undefined {
  const lines = text.split("\n");
  if (lines.at(-1) === "") lines.pop();
  // Per old line: the lines inserted before it, and whether it stays.
  const front: string[][] = Array.from({ length: lines.length + 1 }, () => []);
  const stays = lines.map(() => true);
  const end = lines.length;
  let position = 0;
  for (const chunk of chunks) {
    if (chunk.context !== undefined) {
      const found = search(lines, [chunk.context], position, false);
      if (found === undefined) return undefined;
      position = found + 1;
    }
    let signed = [...chunk.lines];
    let old = signed.filter((line) => line[0] !== "+").map((line) => line.slice(1));
    if (old.length === 0) {
      front[end]?.push(...signed.map((line) => line.slice(1)));
      continue;
    }
    let found = search(lines, old, position, chunk.endOfFile);
    if (found === undefined && old.at(-1) === "") {
      signed = dropLastEmpty(signed);
      old = old.slice(0, -1);
      found = old.length === 0 ? position : search(lines, old, position, chunk.endOfFile);
    }
    if (found === undefined) return undefined;
    // Lines inserted between two unchanged ones come before all that is removed there.
    let at = found;
    let between = found;
    for (const line of signed) {
      if (line[0] === "+") front[between]?.push(line.slice(1));
      else if (line[0] === "-") stays[at++] = false;
      else between = ++at;
    }
    position = found + old.length;
  }
  const result: string[] = [];
  for (let index = 0; index <= lines.length; index++) {
    result.push(...(front[index] ?? []));
    if (stays[index]) result.push(lines[index] ?? "");
  }
  return result.map((line) => `${line}\n`).join("");
}

function dropLastEmpty(signed: string[]): string[] {
  const result = [...signed];
  let lastOld = result.length - 1;
  while (result[lastOld]?.[0] === "+") lastOld--;
  let lastNew = result.length - 1;
  while (lastNew >= 0 && result[lastNew]?.[0] === "-") lastNew--;
  const dropNew = lastNew >= 0 && result[lastNew]?.length === 1;
  if (lastNew === lastOld) return result.filter((_, index) => index !== lastOld);
  if (result[lastOld] === " ") result[lastOld] = "+";
  else result[lastOld] = "";
  if (dropNew) result[lastNew] = "";
  return result.filter((line) => line !== "");
}

function search(lines: string[], wanted: string[], start: number, atEnd: boolean) {
  const forms = [(s: string) => s, (s: string) => s.trimEnd(), (s: string) => s.trim()];
  for (const form of forms) {
    for (let index = start; index + wanted.length <= lines.length; index++) {
      if (atEnd && index + wanted.length !== lines.length) continue;
      if (wanted.every((line, offset) => form(lines[index + offset] ?? "") === form(line))) {
        return index;
      }
    }
  }
  return undefined;
}
