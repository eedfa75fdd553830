import { CodexError } from "../protocol/error.js";

/** A table of a config file; each reader checks the type and says file and key when it is wrong. */
export class Table {
  #values: Record<string, unknown>;
  #source: string;
  #path: string;

  constructor(values: Record<string, unknown>, source: string, path = "") {
    this.#values = values;
    this.#source = source;
    this.#path = path;
  }

  keys(): string[] {
    return Object.keys(this.#values);
  }

  string(key: string): string | undefined {
    return this.#read(key, "a string", (value) => typeof value === "string") as string | undefined;
  }

  boolean(key: string): boolean | undefined {
    const isBoolean = (value: unknown) => typeof value === "boolean";
    return this.#read(key, "true or false", isBoolean) as boolean | undefined;
  }

  integer(key: string): number | undefined {
    const isCount = (value: unknown) => Number.isSafeInteger(value) && (value as number) >= 0;
    return this.#read(key, "a whole number", isCount) as number | undefined;
  }

  oneOf<T extends string>(key: string, allowed: readonly T[]): T | undefined {
    const isAllowed = (value: unknown) => allowed.includes(value as T);
    return this.#read(key, `one of ${allowed.join(", ")}`, isAllowed) as T | undefined;
  }

  stringList(key: string): string[] | undefined {
    const isList = (value: unknown) =>
      Array.isArray(value) && value.every((entry) => typeof entry === "string");
    return this.#read(key, "a list of strings", isList) as string[] | undefined;
  }

  /** A table whose values are all strings. */
  strings(key: string): Record<string, string> | undefined {
    const isStrings = (value: unknown) =>
      isTable(value) && Object.values(value).every((entry) => typeof entry === "string");
    return this.#read(key, "a table of strings", isStrings) as Record<string, string> | undefined;
  }

  table(key: string): Table | undefined {
    const value = this.#read(key, "a table", isTable);
    if (value === undefined) return undefined;
    return new Table(value as Record<string, unknown>, this.#source, `${this.#path}${key}.`);
  }

  #read(key: string, expected: string, isRight: (value: unknown) => boolean): unknown {
    if (!Object.hasOwn(this.#values, key)) return undefined;
    const value = this.#values[key];
    if (isRight(value)) return value;
    const got = typeof value === "string" ? `"${value}"` : String(value);
    const message = `${this.#source}: ${this.#path}${key} must be ${expected}, not ${got}`;
    throw new CodexError("config", message);
  }
}

function isTable(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
