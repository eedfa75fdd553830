/** A complete top-level block of Markdown. */
export interface Block {
  source: string;
  /** No blank line separates it from the previous block, as between list items. */
  isTight: boolean;
  /** It continues the code of the previous block, with the same fences around it. */
  isContinued?: true;
}

/** Lines of code after which an empty line ends a part of it, and after which every line does. */
const part = { least: 4, most: 12 };

/**
 * Splits streaming Markdown into blocks that later text cannot change.
 *
 * Each line is inspected once, when it is complete, so a delta costs its own length however long
 * the answer is.
 */
export class BlockStream {
  #partial = "";
  #lines: string[] = [];
  #length = 0;
  #isTight = false;
  #fence: string | undefined;
  #afterBlank = false;
  #finished: Block[] = [];
  readonly #splitsCode: boolean;
  /** Parts of the code block that are finished. */
  #parts = 0;

  /** With `splitsCode`, long code is returned in parts, so that few of its lines are incomplete. */
  constructor({ splitsCode = false }: { splitsCode?: boolean } = {}) {
    this.#splitsCode = splitsCode;
  }

  /** Adds text; returns the blocks that it completed. */
  push(text: string): Block[] {
    let from = 0;
    for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", from)) {
      this.#line(this.#partial + text.slice(from, at));
      this.#partial = "";
      from = at + 1;
    }
    this.#partial += text.slice(from);
    return this.#take();
  }

  /** Ends the text; returns the remaining blocks. */
  end(): Block[] {
    if (this.#partial !== "") this.#line(this.#partial);
    this.#partial = "";
    if (this.#parts > 0 && this.#lines.length === 1) this.#lines = [];
    this.#cut(false);
    return this.#take();
  }

  /**
   * Returns the incomplete block, at most its last `limit` characters.
   *
   * A code block that is cut keeps its opening fence, so that it still renders as code.
   */
  live(limit: number): Block {
    const isTight = this.#isTight;
    if (this.#length + this.#partial.length <= limit) {
      return { source: [...this.#lines, this.#partial].join("\n"), isTight };
    }
    const lines = [this.#partial.slice(-limit)];
    let length = lines[0]?.length ?? 0;
    for (let at = this.#lines.length - 1; at > 0 && length < limit; at -= 1) {
      const line = this.#lines[at] ?? "";
      lines.unshift(line);
      length += line.length + 1;
    }
    const opening = this.#fence === undefined ? [] : [this.#lines[0] ?? ""];
    return { source: [...opening, ...lines].join("\n"), isTight };
  }

  /** Returns whether there is no incomplete block. */
  get isEmpty(): boolean {
    return this.#partial.trim() === "" && this.#lines.every((line) => line.trim() === "");
  }

  #line(line: string): void {
    if (this.#fence !== undefined) this.#fencedLine(line);
    else if (line.trim() === "") this.#blankLine(line);
    else this.#textLine(line);
  }

  #blankLine(line: string): void {
    this.#afterBlank = true;
    if (this.#lines.length > 0) this.#add(line);
  }

  #textLine(line: string): void {
    const fence = /^( *)(`{3,}|~{3,})/.exec(line);
    const begins = fence !== null && fence[1] === "";
    if (this.#afterBlank ? !/^\s/.test(line) : begins || isHeading(line)) this.#cut(false);
    else if (isItem(line) && isItem(this.#lines[0] ?? "")) this.#cut(true);
    this.#afterBlank = false;
    this.#add(line);
    if (fence !== null) this.#fence = fence[2];
    else if (isHeading(line)) this.#cut(false);
  }

  #fencedLine(line: string): void {
    this.#add(line);
    const closing = line.trim();
    const fence = this.#fence ?? "";
    const isClosing = closing.startsWith(fence) && closing === fence[0]?.repeat(closing.length);
    // In a list item more of the item may follow.
    const isTop = this.#lines[0]?.startsWith(fence) === true;
    if (!isClosing) {
      if (this.#splitsCode && isTop) this.#endPart(line);
      return;
    }
    this.#fence = undefined;
    if (!isTop) return;
    const isEmpty = this.#parts > 0 && this.#lines.length === 2;
    if (isEmpty) this.#lines = [];
    this.#cut(false);
    if (isEmpty) this.#isTight = false;
  }

  /** Finishes the lines of code so far if there are enough of them; the fence opens the next part. */
  #endPart(line: string): void {
    const [opening = "", ...code] = this.#lines;
    const isEnd = code.length >= part.most || (code.length >= part.least && line.trim() === "");
    const fence = this.#fence;
    if (!isEnd || fence === undefined) return;
    const parts = this.#parts + 1;
    this.#lines.push(fence);
    this.#cut(true);
    this.#parts = parts;
    this.#fence = fence;
    this.#add(opening);
  }

  #add(line: string): void {
    this.#lines.push(line);
    this.#length += line.length + 1;
  }

  /** Ends the block; `isTight` applies to the next one. */
  #cut(isTight: boolean): void {
    const source = this.#lines.join("\n").trimEnd();
    const continued = this.#parts > 0 ? ({ isContinued: true } as const) : {};
    if (source !== "") {
      this.#finished.push({ source, isTight: this.#isTight, ...continued });
      this.#isTight = isTight;
    }
    this.#parts = 0;
    this.#lines = [];
    this.#length = 0;
    this.#fence = undefined;
    this.#afterBlank = false;
  }

  #take(): Block[] {
    const blocks = this.#finished;
    this.#finished = [];
    return blocks;
  }
}

/** Joins blocks to the Markdown that they are from. */
export function joinBlocks(blocks: readonly Block[]): string {
  let text = "";
  for (const { source, isTight, isContinued } of blocks) {
    if (isContinued) {
      const lines = source.split("\n").slice(1).join("\n");
      text = `${text.slice(0, text.lastIndexOf("\n"))}\n${lines}`;
    } else text += text === "" ? source : `${isTight ? "\n" : "\n\n"}${source}`;
  }
  return text;
}

function isHeading(line: string): boolean {
  return /^#{1,6}\s/.test(line);
}

function isItem(line: string): boolean {
  return /^(?:[-*+]|\d{1,9}[.)])\s/.test(line);
}
