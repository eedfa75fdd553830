import type { Cell } from "./cell.js";

/** Number of cells and characters kept, at least. */
const kept = { cells: 5000, characters: 32 * 1024 * 1024 };

/** Finished cells, for the transcript page and exports; drops the oldest of a very long session. */
export class FinishedCells {
  #cells: Cell[] = [];
  #characters = 0;

  /** Oldest first. */
  get all(): readonly Cell[] {
    return this.#cells;
  }

  add(cells: readonly Cell[]): void {
    for (const cell of cells) {
      this.#cells.push(cell);
      this.#characters += lengthOf(cell);
    }
    // Trim only when there is a tenth more, so that its amortized cost is constant.
    const isTooMuch =
      this.#cells.length > kept.cells * 1.1 || this.#characters > kept.characters * 1.1;
    if (isTooMuch) this.#forgetOldest();
  }

  clear(): void {
    this.#cells = [];
    this.#characters = 0;
  }

  #forgetOldest(): void {
    let first = Math.max(0, this.#cells.length - kept.cells);
    let characters = 0;
    for (let index = this.#cells.length - 1; index >= first; index -= 1) {
      const length = lengthOf(this.#cells[index]);
      if (characters + length > kept.characters) first = index + 1;
      else characters += length;
    }
    this.#cells = this.#cells.slice(first);
    this.#characters = characters;
  }
}

/** Estimates the memory of a cell, in characters. */
function lengthOf(cell: Cell | undefined): number {
  switch (cell?.kind) {
    case "agent":
      return cell.source.length;
    case "reasoning":
    case "notice":
    case "review":
      return cell.text.length;
    case "command":
      return cell.output.keptLength;
    case "explored":
      return cell.commands.reduce((sum, { output }) => sum + output.keptLength, 0);
    case "patch":
      return cell.changes.reduce((sum, { diff }) => sum + diff.length, 0);
    case "user":
      return cell.input.reduce((sum, input) => sum + textOf(input).length, 0);
    case "mcp":
      return JSON.stringify(cell.item.result ?? "").length;
    default:
      return 200;
  }
}

function textOf(input: object): string {
  if ("text" in input && typeof input.text === "string") return input.text;
  return "url" in input && typeof input.url === "string" ? input.url : "";
}
