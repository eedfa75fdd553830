import { diff_core } from "fast-myers-diff";
import { AnchorSearch } from "./anchors.js";

/** Replaces lines `oldStart` to `oldEnd` with lines `newStart` to `newEnd` of the new text. */
export interface LineEdit {
  oldStart: number;
  oldEnd: number;
  newStart: number;
  newEnd: number;
}

/** Up to this many lines in total, finding the shortest edit is cheap. */
const SMALL = 2_000;
/** Limit of comparisons per diff, about 0.5 s; the rest is replaced as a block. */
const MAX_COMPARISONS = 30_000_000;
const MAX_DEPTH = 40;

/**
 * Computes the edits between two lists of lines, in order.
 *
 * The edits are minimal for small differences. Long texts are first split at lines that occur once
 * in both; adversarial texts are replaced in blocks, so that the edits are longer but never wrong.
 */
export function lineEdits(oldLines: readonly string[], newLines: readonly string[]): LineEdit[] {
  const numbers = new Map<string, number>();
  const a = toNumbers(oldLines, numbers);
  const b = toNumbers(newLines, numbers);
  const search = new EditSearch(a, b);
  search.between({ oldStart: 0, oldEnd: a.length, newStart: 0, newEnd: b.length }, 0);
  slideDown(search.edits, a, b);
  return mergeTouching(search.edits);
}

class EditSearch {
  readonly edits: LineEdit[] = [];
  readonly #a: Int32Array;
  readonly #b: Int32Array;
  readonly #anchors: AnchorSearch;
  #comparisons = MAX_COMPARISONS;

  constructor(a: Int32Array, b: Int32Array) {
    this.#a = a;
    this.#b = b;
    this.#anchors = new AnchorSearch(a, b);
  }

  between(range: LineEdit, depth: number): void {
    const edit = this.#withoutCommonEnds(range);
    const oldLength = edit.oldEnd - edit.oldStart;
    const newLength = edit.newEnd - edit.newStart;
    if (oldLength === 0 && newLength === 0) return;
    if (oldLength === 0 || newLength === 0) {
      this.edits.push(edit);
      return;
    }
    if (oldLength + newLength > SMALL && depth < MAX_DEPTH && this.#splitAtAnchors(edit, depth)) {
      return;
    }
    if (this.#haveCommonLine(edit)) this.#shortest(edit);
    else this.edits.push(edit);
  }

  #haveCommonLine({ oldStart, oldEnd, newStart, newEnd }: LineEdit): boolean {
    const lines = new Set(this.#b.subarray(newStart, newEnd));
    return this.#a.subarray(oldStart, oldEnd).some((line) => lines.has(line));
  }

  #withoutCommonEnds({ oldStart, oldEnd, newStart, newEnd }: LineEdit): LineEdit {
    const [a, b] = [this.#a, this.#b];
    while (oldStart < oldEnd && newStart < newEnd && a[oldStart] === b[newStart]) {
      oldStart++;
      newStart++;
    }
    while (oldStart < oldEnd && newStart < newEnd && a[oldEnd - 1] === b[newEnd - 1]) {
      oldEnd--;
      newEnd--;
    }
    return { oldStart, oldEnd, newStart, newEnd };
  }

  #splitAtAnchors(edit: LineEdit, depth: number): boolean {
    const anchors = this.#anchors.findAnchors(edit);
    if (anchors.length === 0) return false;
    let { oldStart, newStart } = edit;
    for (const [oldIndex, newIndex] of anchors) {
      this.between({ oldStart, oldEnd: oldIndex, newStart, newEnd: newIndex }, depth + 1);
      oldStart = oldIndex + 1;
      newStart = newIndex + 1;
    }
    const { oldEnd, newEnd } = edit;
    this.between({ oldStart, oldEnd, newStart, newEnd }, depth + 1);
    return true;
  }

  #shortest(edit: LineEdit): void {
    const known = this.edits.length;
    const { oldStart, oldEnd, newStart, newEnd } = edit;
    const [a, b] = [this.#a, this.#b];
    let left = this.#comparisons;
    const isEqual = (i: number, j: number): boolean => {
      if (--left < 0) throw new TooManyComparisons();
      return a[i] === b[j];
    };
    try {
      const steps = diff_core(oldStart, oldEnd - oldStart, newStart, newEnd - newStart, isEqual);
      for (const [start, end, putStart, putEnd] of steps) {
        this.edits.push({ oldStart: start, oldEnd: end, newStart: putStart, newEnd: putEnd });
      }
    } catch (error) {
      if (!(error instanceof TooManyComparisons)) throw error;
      this.edits.length = known;
      this.edits.push(edit);
    }
    this.#comparisons = left;
  }
}

/** Thrown from the comparison callback, because the library has no limit. */
class TooManyComparisons extends Error {}

function toNumbers(lines: readonly string[], numbers: Map<string, number>): Int32Array {
  const result = new Int32Array(lines.length);
  for (const [index, line] of lines.entries()) {
    let number = numbers.get(line);
    if (number === undefined) {
      number = numbers.size;
      numbers.set(line, number);
    }
    result[index] = number;
  }
  return result;
}

/** Of equivalent positions for an insertion or deletion, picks the lowest, as other tools do. */
function slideDown(edits: readonly LineEdit[], a: Int32Array, b: Int32Array): void {
  let limit = a.length;
  for (let index = edits.length - 1; index >= 0; index--) {
    const edit = edits[index] as LineEdit;
    if (edit.oldStart === edit.oldEnd) {
      while (edit.oldEnd < limit && b[edit.newStart] === b[edit.newEnd]) shift(edit);
    } else if (edit.newStart === edit.newEnd) {
      while (edit.oldEnd < limit && a[edit.oldStart] === a[edit.oldEnd]) shift(edit);
    }
    limit = edit.oldStart;
  }
}

function shift(edit: LineEdit): void {
  edit.oldStart++;
  edit.oldEnd++;
  edit.newStart++;
  edit.newEnd++;
}

function mergeTouching(edits: readonly LineEdit[]): LineEdit[] {
  const merged: LineEdit[] = [];
  for (const edit of edits) {
    const last = merged.at(-1);
    if (last && last.oldEnd >= edit.oldStart) {
      last.oldEnd = edit.oldEnd;
      last.newEnd = edit.newEnd;
    } else {
      merged.push(edit);
    }
  }
  return merged;
}
