/** A terminal in memory: just enough of one to see what frames leave on it. */
export class MemoryScreen {
  readonly columns: number;
  readonly rows: number;
  /** Lines that were pushed out at the top. */
  readonly scrollback: string[] = [];
  #lines: string[];
  #row = 0;
  #column = 0;

  constructor(columns: number, rows: number) {
    this.columns = columns;
    this.rows = rows;
    this.#lines = Array.from({ length: rows }, () => "");
  }

  get cursor(): { row: number; column: number } {
    return { row: this.#row, column: this.#column };
  }

  /** What is on the screen, without the free rows below. */
  lines(): string[] {
    const lines = this.#lines.map((line) => line.trimEnd());
    while (lines.at(-1) === "") lines.pop();
    return lines;
  }

  write(text: string): void {
    const pieces = /\x1b\[(\??)([\d;]*)([A-Za-z])|\r|\n|[^\x1b\r\n]+/g;
    for (const [piece, isPrivate, digits, final] of text.matchAll(pieces)) {
      if (piece === "\r") this.#column = 0;
      else if (piece === "\n") this.#lineFeed();
      else if (final === undefined) this.#print(piece);
      else if (isPrivate === "") this.#control(final, Number(digits || 1), digits ?? "");
    }
  }

  #print(text: string): void {
    const line = (this.#lines[this.#row] ?? "").padEnd(this.#column);
    this.#lines[this.#row] =
      line.slice(0, this.#column) + text + line.slice(this.#column + text.length);
    this.#column += text.length;
    if (this.#column > this.columns) throw new Error(`A line is too wide: ${text}`);
  }

  #lineFeed(): void {
    if (this.#row < this.rows - 1) {
      this.#row += 1;
      return;
    }
    this.scrollback.push((this.#lines.shift() ?? "").trimEnd());
    this.#lines.push("");
  }

  #control(final: string, count: number, digits: string): void {
    if (final === "A") this.#row = Math.max(0, this.#row - count);
    else if (final === "B") this.#row = Math.min(this.rows - 1, this.#row + count);
    else if (final === "G") this.#column = count - 1;
    else if (final === "K" && digits === "2") this.#lines[this.#row] = "";
    else if (final === "J" && digits === "") this.#clearBelow();
    else if (final !== "m") throw new Error(`This terminal knows no CSI ${digits}${final}`);
  }

  #clearBelow(): void {
    const line = this.#lines[this.#row] ?? "";
    this.#lines[this.#row] = line.slice(0, this.#column);
    this.#lines.fill("", this.#row + 1);
  }
}
