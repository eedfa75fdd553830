import { nearest } from "../lib/nearest.js";
import type { HookSource, HookStates } from "../protocol/hook-source.js";
import { hookEventNames } from "./events.js";

/** Problems and warnings of one file, with the position of each. */
export class Problems {
  readonly #source: HookSource;
  readonly #path: readonly string[];
  readonly #found: { problems: string[]; warnings: string[] };

  constructor(
    source: HookSource,
    path: readonly string[] = [],
    found: { problems: string[]; warnings: string[] } = { problems: [], warnings: [] },
  ) {
    this.#source = source;
    this.#path = path;
    this.#found = found;
  }

  get count(): number {
    return this.#found.problems.length;
  }

  get found(): { problems: readonly string[]; warnings: readonly string[] } {
    return this.#found;
  }

  /** Reports to the same lists, for a value inside this one. */
  at(...keys: (string | number)[]): Problems {
    return new Problems(this.#source, [...this.#path, ...keys.map(String)], this.#found);
  }

  /** Reports a problem of the value. */
  add(text: string): undefined {
    this.#found.problems.push(`${this.#place()}: ${text}`);
  }

  /** Reports a value of a wrong type. */
  expected(expectation: string, value: unknown): undefined {
    this.add(`expected ${expectation} (got ${shown(value)})`);
  }

  /** Reports keys that have no meaning. */
  unknownKeys(value: Readonly<Record<string, unknown>>, known: readonly string[]): void {
    for (const key of Object.keys(value)) {
      if (known.includes(key)) continue;
      const near = nearest(key, known);
      const hint = near === undefined ? `expected ${known.join(", ")}` : `did you mean ${near}?`;
      this.at(key).add(`unknown key (${hint})`);
    }
  }

  warn(text: string): void {
    this.#found.warnings.push(`${this.#place()}: ${text}`);
  }

  #place(): string {
    const line = this.#source.lineOf(this.#path);
    const { path, file: name = path } = this.#source;
    const file = line === undefined ? name : `${name}:${line}`;
    return this.#path.length === 0 ? file : `${file}: \`${keyText(this.#path)}\``;
  }
}

/** Formats a path as in `hooks.PreToolUse[0].matcher`. */
function keyText(path: readonly string[]): string {
  return path.reduce((text, key) =>
    /^\d+$/.test(key) ? `${text}[${key}]` : `${text}.${/^[\w-]+$/.test(key) ? key : shown(key)}`,
  );
}

/** Formats a value for a message. */
export function shown(value: unknown): string {
  if (value === undefined) return "nothing";
  const text = JSON.stringify(value, (_, entry) =>
    typeof entry === "bigint" ? String(entry) : entry,
  );
  return text.length > longestShown ? `${text.slice(0, longestShown)}…` : text;
}

const longestShown = 60;

/** Returns true for a table, false for lists and dates. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return (
    typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof Date)
  );
}

/** The reference's text, which clients may know. */
export function bothForms(json: string, toml: string): string {
  return `loading hooks from both ${json} and ${toml}; prefer a single representation for this layer`;
}

/** Reports an event that does not exist, with the nearest one. */
export function unknownEvent(event: string, problems: Problems): void {
  if (event === "state") {
    problems.at(event).add("trust is read from the config.toml in your own Codex home only");
    return;
  }
  const near = nearest(event, hookEventNames);
  const hint =
    near === undefined ? `expected one of ${hookEventNames.join(", ")}` : `did you mean ${near}?`;
  problems.at(event).add(`unknown event (${hint})`);
}

/** Finds unknown keys in the decisions of the user, also about hooks that are gone. */
export function stateProblems(states: HookStates): { path: string; message: string }[] {
  return Object.entries(states).flatMap(([key, state]) => {
    const unknown = Object.keys(isRecord(state) ? state : {}).filter(
      (name) => !stateKeys.has(name),
    );
    return unknown.map((name) => {
      const expected = `expected ${[...stateKeys].join(", ")}`;
      return {
        path: "config.toml",
        message: `\`hooks.state."${key}".${name}\`: unknown key (${expected})`,
      };
    });
  });
}

const stateKeys: ReadonlySet<string> = new Set(["trusted_hash", "enabled"]);
