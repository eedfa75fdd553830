import { closeSync, constants, openSync, readSync } from "node:fs";
import { StringDecoder } from "node:string_decoder";
import { TimeSlice } from "../../lib/time-slice.js";

/**
 * Finds files that surely do not contain a term, without parsing them.
 *
 * Most files of a home are small: synchronous reads take a tenth of the time, and other work runs
 * between them.
 */
export class FileFilter {
  readonly #term: string;
  readonly #isAscii: boolean;
  readonly #buffer = Buffer.allocUnsafe(chunkBytes);
  readonly #slice = new TimeSlice();

  constructor(term: string) {
    this.#term = JSON.stringify(term).slice(1, -1).toLowerCase();
    this.#isAscii = /^[\x20-\x7e]*$/.test(this.#term);
  }

  /** Returns false if no message of the file contains the term; any case matches. */
  async mayMatch(path: string): Promise<boolean> {
    if (this.#slice.isOver) await this.#slice.next();
    let file: number | undefined;
    try {
      file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
      return await this.#search(file);
    } catch {
      return false; // it was deleted, or is unreadable
    } finally {
      if (file !== undefined) closeSync(file);
    }
  }

  async #search(file: number): Promise<boolean> {
    const decoder = new StringDecoder("utf8");
    const overlap = Math.max(this.#term.length, longestMark) - 1;
    for (let tail = ""; ; ) {
      const length = readSync(file, this.#buffer, 0, chunkBytes, null);
      if (length === 0) return false;
      const text = tail + decoder.write(this.#buffer.subarray(0, length));
      if (this.#isIn(text)) return true;
      if (length < chunkBytes) return false;
      tail = text.slice(-overlap);
      if (this.#slice.isOver) await this.#slice.next();
    }
  }

  /** A conversation may continue another file; and programs differ in what they escape. */
  #isIn(text: string): boolean {
    if (text.toLowerCase().includes(this.#term) || text.includes(baseMark)) return true;
    return !this.#isAscii && escapedLetter.test(text);
  }
}

const chunkBytes = 256 * 1024;
const baseMark = "history_base";
const longestMark = baseMark.length;
/** A letter of another script that a program escaped: no control character, no part of ASCII. */
const escapedLetter = /\\u(?!00[0-7])[0-9a-f]{4}/i;
