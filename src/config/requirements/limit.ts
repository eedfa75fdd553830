/** The allowed values of one setting, and the file that restricts it. */
interface Allowed<Value extends string> {
  values: readonly Value[];
  file: string;
}

/** A refused value: the fallback, and the reason in one sentence. */
export interface Refused<Value extends string> {
  fallback: Value;
  reason: string;
}

/**
 * Restriction of one setting by any number of files; a value must be allowed by all of them.
 *
 * The fallback is the strictest value that all allow.
 */
export class Limit<Value extends string> {
  readonly #name: string;
  readonly #strictestFirst: readonly Value[];
  readonly #allowed: Allowed<Value>[] = [];

  constructor(name: string, strictestFirst: readonly Value[]) {
    this.#name = name;
    this.#strictestFirst = strictestFirst;
  }

  /** Restricts the setting further; an unset list restricts nothing. */
  add(values: readonly Value[] | undefined, file: string): void {
    if (values !== undefined) this.#allowed.push({ values: [...new Set(values)], file });
  }

  /** Values that all files allow, strictest first; undefined if none restricts the setting. */
  get values(): Value[] | undefined {
    if (this.#allowed.length === 0) return undefined;
    return this.#strictestFirst.filter((value) => this.#refusing(value) === undefined);
  }

  /** Returns the reason for refusing a value; undefined if it is allowed. */
  refuse(value: Value): Refused<Value> | undefined {
    const refusing = this.#refusing(value);
    if (refusing === undefined) return undefined;
    const allowed = refusing.values.map(wordFor).join(", ");
    return {
      fallback: this.values?.[0] ?? value,
      reason:
        `invalid value for \`${this.#name}\`: \`${wordFor(value)}\` is not in the allowed set ` +
        `[${allowed}] (set by ${refusing.file})`,
    };
  }

  #refusing(value: Value): Allowed<Value> | undefined {
    return this.#allowed.find(({ values }) => !values.includes(value));
  }
}

/** Returns a value as the messages of the reference spell it: `OnRequest` for `on-request`. */
export function wordFor(value: string): string {
  if (value === "untrusted") return "UnlessTrusted";
  return value.replace(/(?:^|[-_])([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

/** Returns the warning about a setting that falls back. */
export function fallbackWarning(name: string, { fallback, reason }: Refused<string>): string {
  return (
    `Configured value for \`${name}\` is disallowed by requirements; falling back to required ` +
    `value ${wordFor(fallback)}. Details: ${reason}`
  );
}
