/** Cuts bytes into lines without copying those that come whole. */
export class LineSplitter {
  readonly #onLine: (line: Buffer) => void;
  #begun: Buffer[] = [];

  constructor(onLine: (line: Buffer) => void) {
    this.#onLine = onLine;
  }

  push(data: Buffer): void {
    let start = 0;
    for (let end = data.indexOf(newline); end >= 0; end = data.indexOf(newline, start)) {
      const piece = data.subarray(start, end);
      this.#onLine(this.#begun.length === 0 ? piece : Buffer.concat([...this.#begun, piece]));
      this.#begun = [];
      start = end + 1;
    }
    if (start < data.length) this.#begun.push(data.subarray(start));
  }
}

const newline = 10;
