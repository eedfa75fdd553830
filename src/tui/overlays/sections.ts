/** A line of a page: its section, and its place in it. */
export interface Place {
  section: number;
  line: number;
}

/** The lines of a page. Sections are rendered when they come into view, so that long pages open at once. */
export class Sections {
  readonly #render: readonly (() => string[])[];
  readonly #lines: (readonly string[] | undefined)[] = [];

  constructor(render: readonly (() => string[])[]) {
    this.#render = render;
  }

  /** Returns the lines from a place on, at most `count`. */
  from({ section, line }: Place, count: number): string[] {
    const lines: string[] = [];
    for (let at = section; at < this.#render.length && lines.length < count; at += 1) {
      lines.push(...this.#of(at).slice(at === section ? line : 0));
    }
    return lines.slice(0, count);
  }

  /** Returns the place that is `by` lines further; never before the first or behind the last line. */
  move({ section, line }: Place, by: number): Place {
    let [at, rest] = [section, line + by];
    while (rest < 0 && at > 0) {
      at -= 1;
      rest += this.#of(at).length;
    }
    while (at < this.#render.length - 1 && rest >= this.#of(at).length) {
      rest -= this.#of(at).length;
      at += 1;
    }
    return { section: at, line: Math.max(0, Math.min(rest, this.#of(at).length)) };
  }

  /** Returns the highest place at which `height` lines reach the end; the start if there are fewer. */
  lastTop(height: number): Place {
    const section = Math.max(0, this.#render.length - 1);
    return this.move({ section, line: this.#of(section).length }, -height);
  }

  /** Returns the share of the way to `last`, in percent. */
  percent(place: Place, last: Place): number {
    const total = this.#position(last);
    return total === 0 ? 100 : Math.round((this.#position(place) / total) * 100);
  }

  #position({ section, line }: Place): number {
    return section + line / Math.max(1, this.#of(section).length);
  }

  #of(section: number): readonly string[] {
    const lines = this.#lines[section] ?? this.#render[section]?.() ?? [];
    this.#lines[section] = lines;
    return lines;
  }
}

/** Returns true if a place is before another one. */
export function isBefore(one: Place, other: Place): boolean {
  return one.section < other.section || (one.section === other.section && one.line < other.line);
}
