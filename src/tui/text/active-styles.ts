/** The styles in force at a place of a styled text, so that a new line can begin with them. */
export class ActiveStyles {
  readonly #byGroup = new Map<string, string>();
  #link = "";

  get isEmpty(): boolean {
    return this.#byGroup.size === 0 && this.#link === "";
  }

  /** What to write at the end of a line, so that none of them goes on behind it. */
  get end(): string {
    return this.#link === "" ? "\x1b[0m" : "\x1b[0m\x1b]8;;\x1b\\";
  }

  /** The styles without the link. */
  get colors(): string {
    return [...this.#byGroup.values()].join("");
  }

  /** What to write so that they are in force; empty when there are none. */
  get codes(): string {
    return `${this.#link}${this.colors}`;
  }

  /** Takes up a sequence such as `\x1b[1m`, or the start or end of a hyperlink. */
  follow(code: string): void {
    if (code.startsWith("\x1b]8;")) {
      this.#link = code === "\x1b]8;;\x1b\\" ? "" : code;
      return;
    }
    const value = code.slice(2, -1);
    const group = groupOf(Number.parseInt(value, 10) || 0);
    if (group === "all") this.#byGroup.clear();
    else if (endings.has(value)) this.#byGroup.delete(group);
    else this.#byGroup.set(group, code);
  }
}

const endings = new Set(["22", "23", "24", "27", "29", "39", "49"]);

/** Styles of which one takes the place of another. */
function groupOf(value: number): string {
  if (value === 0) return "all";
  if (value === 1 || value === 2 || value === 22) return "weight";
  if (value < 30) return `mark ${value % 20}`;
  return (value >= 40 && value < 50) || value >= 100 ? "background" : "color";
}
