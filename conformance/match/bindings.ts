/**
 * Values of a trace's placeholders in this run.
 *
 * A name keeps its value, and two names never share one: the recorder numbered different values
 * differently.
 */
export class Bindings {
  readonly #values: Map<string, string>;
  readonly #names: Map<string, string>;
  readonly #texts: Map<string, string>;

  constructor(from?: Bindings) {
    this.#values = new Map(from ? from.#values : []);
    this.#names = new Map(from ? from.#names : []);
    this.#texts = new Map(from ? from.#texts : []);
  }

  get(name: string): string | undefined {
    return this.#values.get(name);
  }

  /** Returns true if the name may have the value, and binds it. */
  bind(name: string, value: string): boolean {
    const owner = `${family(name)}=${value}`;
    const bound = this.#values.get(name);
    if (bound !== undefined) return bound === value;
    if (this.#names.has(owner)) return false;
    this.#values.set(name, value);
    this.#names.set(owner, name);
    return true;
  }

  /** Stores the text found in place of a template with times or hashes, for later use by the client. */
  remember(key: string, template: string, text: string): void {
    this.#texts.set(template, text);
    this.#texts.set(`${key}\n${template}`, text);
  }

  /** The last text seen for a template; `nextCursor` answers for `cursor`. */
  recall(key: string, template: string): string | undefined {
    const next = `next${key.charAt(0).toUpperCase()}${key.slice(1)}`;
    return (
      this.#texts.get(`${next}\n${template}`) ??
      this.#texts.get(`${key}\n${template}`) ??
      this.#texts.get(template)
    );
  }

  /** A copy to try a match with. */
  fork(): Bindings {
    return new Bindings(this);
  }
}

function family(name: string): string {
  return name.replace(/-\d+$/, "");
}
