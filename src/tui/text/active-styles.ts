/** The styles in force at a place of a styled text, so that a new line can begin with them. */
export class ActiveStyles {
  readonly #byGroup = new Map<string, string>();

  get isEmpty(): boolean {
    return this.#byGroup.size === 0;
  }

  /** What to write so that they are in force; empty when there are none. */
  get codes(): string {
    return [...this.#byGroup.values()].join("");
  }

  /** Takes up a sequence such as `\x1b[1m`. */
  follow(code: string): void {
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
