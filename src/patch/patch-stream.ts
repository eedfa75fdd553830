import type { Hunk, PatchError, UpdateHunk } from "./hunk.js";
import { MAX_CHUNKS, MAX_PATCH_LENGTH, MAX_SECTIONS, TOO_LONG, tooMany } from "./limits.js";
import { readUpdateLine, type UpdateProblem, unfinishedUpdate } from "./update-section.js";

/** First line of a patch. */
export const BEGIN_PATCH = "*** Begin Patch";
/** Last line of a patch. */
export const END_PATCH = "*** End Patch";

/** Error for a text that does not start with `*** Begin Patch`. */
export const NO_BEGIN = `The first line of the patch must be '${BEGIN_PATCH}'`;
/** Error for a text that does not end with `*** End Patch`. */
export const NO_END = `The last line of the patch must be '${END_PATCH}'`;
const ENVIRONMENT_ID = "*** Environment ID:";
const ADD_FILE = "*** Add File: ";
const DELETE_FILE = "*** Delete File: ";
const UPDATE_FILE = "*** Update File: ";

type State = "before" | "start" | "add" | "delete" | "update" | "ended";

/**
 * Parses a patch incrementally, so that it can be shown while the model writes it.
 *
 * A line is parsed once it is complete. Stops at the first error.
 */
export class PatchStream {
  /** The sections parsed so far; the last one may be incomplete. */
  readonly hunks: Hunk[] = [];
  /** The environment that the patch is for, if it names one. */
  environmentId: string | undefined;

  #state: State = "before";
  #error: PatchError | undefined;
  #unfinished: string[] = [];
  #length = 0;
  #lineNumber = 0;
  #sectionLine = 0;
  #chunks = 0;

  /** Adds text; returns the error if the text is not a patch. */
  push(text: string): PatchError | undefined {
    this.#length += text.length;
    if (this.#length > MAX_PATCH_LENGTH) this.#fail(TOO_LONG);
    let start = 0;
    while (!this.#error) {
      const end = text.indexOf("\n", start);
      if (end < 0) {
        if (start < text.length) this.#unfinished.push(text.slice(start));
        break;
      }
      this.#readLine(this.#takeUnfinished() + text.slice(start, end));
      start = end + 1;
    }
    return this.#error;
  }

  /** Ends the text; returns the error if the patch is incomplete. */
  finish(): PatchError | undefined {
    const rest = this.#error ? "" : this.#takeUnfinished();
    if (rest.trim() === END_PATCH) this.#readLine(END_PATCH);
    else if (rest !== "") this.#readLine(rest);
    if (!this.#error && this.#state !== "ended") this.#fail(NO_END);
    return this.#error;
  }

  #takeUnfinished(): string {
    if (this.#unfinished.length === 0) return "";
    const text = this.#unfinished.join("");
    this.#unfinished = [];
    return text;
  }

  #readLine(raw: string): void {
    const line = raw.endsWith("\r") ? raw.slice(0, -1) : raw;
    this.#lineNumber += 1;
    switch (this.#state) {
      case "before":
        if (line.trim() === BEGIN_PATCH) this.#state = "start";
        else this.#fail(NO_BEGIN);
        return;
      case "ended":
        if (line.trim() !== "") this.#fail(NO_END);
        return;
      case "update":
        this.#readUpdateLine(line);
        return;
      default:
        this.#readOutsideUpdate(line);
    }
  }

  #readOutsideUpdate(line: string): void {
    const header = line.trim();
    if (this.#readHeader(header)) return;
    const hunk = this.hunks.at(-1);
    if (this.#state === "add" && hunk?.type === "add" && line.startsWith("+")) {
      hunk.contents += `${line.slice(1)}\n`;
      return;
    }
    this.#failInSection(notAHeader(header));
  }

  #readUpdateLine(line: string): void {
    // In an update, a header with a leading space is an unchanged line, so trim only the end.
    const trimmed = line.trimEnd();
    if (this.#readHeader(trimmed)) return;
    const hunk = this.hunks.at(-1);
    if (hunk?.type !== "update") return;
    const before = hunk.chunks.length;
    this.#report(readUpdateLine(hunk, line), hunk, trimmed);
    this.#chunks += hunk.chunks.length - before;
    if (this.#chunks > MAX_CHUNKS) this.#fail(tooMany(MAX_CHUNKS, "chunks"));
  }

  /** Parses a section header or the end of the patch; returns false for other lines. */
  #readHeader(line: string): boolean {
    if (!line.startsWith("***")) return false;
    if (this.#state === "start" && line.startsWith(ENVIRONMENT_ID)) {
      this.#readEnvironmentId(line.slice(ENVIRONMENT_ID.length).trim());
      return true;
    }
    const hunk = toHunk(line);
    if (!hunk && line !== END_PATCH) return false;
    if (!this.#closeSection(line)) return true;
    if (!hunk) {
      this.#state = "ended";
      return true;
    }
    if (this.hunks.length === MAX_SECTIONS) {
      this.#fail(tooMany(MAX_SECTIONS, "sections"));
      return true;
    }
    this.hunks.push(hunk);
    this.#state = hunk.type;
    this.#sectionLine = this.#lineNumber;
    return true;
  }

  #readEnvironmentId(id: string): void {
    if (this.environmentId !== undefined) {
      this.#fail("apply_patch environment_id cannot be specified more than once");
    } else if (id === "") {
      this.#fail("apply_patch environment_id cannot be empty");
    } else {
      this.environmentId = id;
    }
  }

  /** Returns whether the last section may end here. */
  #closeSection(nextLine: string): boolean {
    const hunk = this.hunks.at(-1);
    if (hunk?.type !== "update") return true;
    this.#report(unfinishedUpdate(hunk, nextLine, nextLine === END_PATCH), hunk, nextLine);
    return this.#error === undefined;
  }

  #report(problem: UpdateProblem | undefined, hunk: UpdateHunk, line: string): void {
    if (problem === undefined) return;
    if (problem === "not_mine") {
      this.#failInSection(notAHeader(line));
    } else if (problem === "empty") {
      const message = `Update file hunk for path '${hunk.path}' is empty`;
      this.#failInSection(message, this.#sectionLine);
    } else {
      this.#failInSection(problem.message);
    }
  }

  #fail(message: string): void {
    this.#error = { kind: "invalid_patch", message };
  }

  #failInSection(message: string, lineNumber = this.#lineNumber): void {
    this.#error = { kind: "invalid_hunk", message, lineNumber };
  }
}

function toHunk(line: string): Hunk | undefined {
  if (line.startsWith(ADD_FILE)) {
    return { type: "add", path: line.slice(ADD_FILE.length), contents: "" };
  }
  if (line.startsWith(DELETE_FILE)) return { type: "delete", path: line.slice(DELETE_FILE.length) };
  if (line.startsWith(UPDATE_FILE)) {
    return {
      type: "update",
      path: line.slice(UPDATE_FILE.length),
      movePath: undefined,
      chunks: [],
    };
  }
  return undefined;
}

function notAHeader(line: string): string {
  return (
    `'${line}' is not a valid hunk header. Valid hunk headers: ` +
    `'${ADD_FILE}{path}', '${DELETE_FILE}{path}', '${UPDATE_FILE}{path}'`
  );
}
