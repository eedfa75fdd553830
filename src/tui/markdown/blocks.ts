/** A finished piece of markdown that stands for itself. */
export interface Block {
  source: string;
  /** It follows the block before without a free line, as the items of a list do. */
  isTight: boolean;
}

/**
 * Cuts streaming markdown into blocks that later text cannot change.
 *
 * Each line is looked at once, when it is complete, so the cost of a delta is its length however
 * long the answer is.
 */
export class BlockStream {
  #partial = "";
  #lines: string[] = [];
  #length = 0;
  #isTight = false;
  #fence: string | undefined;
  #afterBlank = false;
  #finished: Block[] = [];

  /** Takes more text; returns the blocks that became complete by it. */
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

  /** Takes the end of the text; returns what was left. */
  end(): Block[] {
    if (this.#partial !== "") this.#line(this.#partial);
    this.#partial = "";
    this.#cut(false);
    return this.#take();
  }

  /**
   * The block that still grows, at most its last `limit` characters.
   *
   * Code that was cut stays code: its first line is kept.
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

  /** Is there anything that is not finished? */
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
    if (!isClosing) return;
    this.#fence = undefined;
    // Code that stands alone is complete; code in a list item may be followed by more of the item.
    if (this.#lines[0]?.startsWith(fence)) this.#cut(false);
  }

  #add(line: string): void {
    this.#lines.push(line);
    this.#length += line.length + 1;
  }

  /** Ends the block; `isTight` says how the next one follows. */
  #cut(isTight: boolean): void {
    const source = this.#lines.join("\n").trimEnd();
    if (source !== "") this.#finished.push({ source, isTight: this.#isTight });
    if (source !== "") this.#isTight = isTight;
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

function isHeading(line: string): boolean {
  return /^#{1,6}\s/.test(line);
}

function isItem(line: string): boolean {
  return /^(?:[-*+]|\d{1,9}[.)])\s/.test(line);
}
