/** A terminal in memory, with the control sequences that the terminal UI emits. */
export class MemoryScreen {
  readonly columns: number;
  readonly rows: number;
  /** Lines that scrolled off the top. */
  readonly scrollback: string[] = [];
  #lines: string[];
  /** The main screen while the alternate one is shown. */
  #main: { lines: string[]; row: number; column: number } | undefined;
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

  /** Returns the rows of the screen, without blank ones at the end. */
  lines(): string[] {
    const lines = this.#lines.map((line) => line.trimEnd());
    while (lines.at(-1) === "") lines.pop();
    return lines;
  }

  write(text: string): void {
    const pieces =
      /\x1b\[(\??)([\d;]*)([A-Za-z])|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|\r|\n|\x07|[^\x1b\r\n\x07]+/g;
    for (const [piece, isPrivate, digits, final] of text.matchAll(pieces)) {
      if (piece === "\r") this.#column = 0;
      else if (piece === "\n") this.#lineFeed();
      else if (piece.startsWith("\x1b]") || piece === "\x07") continue;
      else if (final === undefined) this.#print(piece);
      else if (isPrivate === "") this.#control(final, Number(digits || 1), digits ?? "");
      else if (digits === "1049") this.#switchScreen(final === "h");
    }
  }

  #switchScreen(isAlternate: boolean): void {
    if (isAlternate) {
      this.#main = { lines: this.#lines, row: this.#row, column: this.#column };
      this.#lines = Array.from({ length: this.rows }, () => "");
    } else if (this.#main !== undefined) {
      this.#lines = this.#main.lines;
      this.#row = this.#main.row;
      this.#column = this.#main.column;
      this.#main = undefined;
    }
  }

  #print(text: string): void {
    const line = (this.#lines[this.#row] ?? "").padEnd(this.#column);
    this.#lines[this.#row] =
      line.slice(0, this.#column) + text + line.slice(this.#column + text.length);
    this.#column += text.length;
    if (this.#column > this.columns)
      throw new Error(`Line is wider than ${this.columns} columns: ${text}`);
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
    else if (final === "H") {
      const [row = 1, column = 1] = digits.split(";").map(Number);
      this.#row = row - 1;
      this.#column = column - 1;
    } else if (final === "K" && digits === "2") this.#lines[this.#row] = "";
    else if (final === "J" && digits === "") this.#clearBelow();
    else if (final === "J" && digits === "2") this.#lines.fill("");
    else if (final !== "m" && final !== "t" && final !== "c")
      throw new Error(`Unsupported sequence CSI ${digits}${final}`);
  }

  #clearBelow(): void {
    // As in tmux, which keeps what is erased from here.
    if (this.#row === 0 && this.#column === 0) this.scrollback.push(...this.lines());
    const line = this.#lines[this.#row] ?? "";
    this.#lines[this.#row] = line.slice(0, this.#column);
    this.#lines.fill("", this.#row + 1);
  }
}
