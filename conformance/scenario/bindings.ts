import { mkdirSync } from "node:fs";
import { join } from "node:path";

/** Values of the `${…}` in a case. An unbound name becomes a new folder. */
export class CaseBindings {
  readonly #dir: string;
  readonly #values = new Map<string, string>();

  constructor(dir: string) {
    this.#dir = dir;
  }

  set(name: string, value: string): void {
    this.#values.set(name, value);
  }

  get(name: string): string {
    const known = this.#values.get(name);
    if (known !== undefined) return known;
    const folder = join(this.#dir, name.toLowerCase());
    mkdirSync(folder, { recursive: true });
    this.#values.set(name, folder);
    return folder;
  }

  /** A copy of a value with all names in its texts and keys replaced. */
  fill(value: unknown): unknown {
    if (typeof value === "string") {
      return value.replace(/\$\{(\w+)\}/g, (_, name: string) => this.get(name));
    }
    if (Array.isArray(value)) return value.map((entry) => this.fill(entry));
    if (typeof value !== "object" || value === null) return value;
    const entries = Object.entries(value).map(([key, entry]) => [
      this.fill(key) as string,
      this.fill(entry),
    ]);
    return Object.fromEntries(entries);
  }
}
