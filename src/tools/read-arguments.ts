import { type ArgumentsOf, type ObjectSchema, type ParameterSchema, values } from "./parameters.js";

/** Parsed arguments, or the first problem. */
export type ReadArguments<Schema> =
  | { arguments: ArgumentsOf<Schema>; problem?: undefined }
  | { arguments?: undefined; problem: ArgumentProblem };

/** The first problem in the arguments of a call, with its position. */
export interface ArgumentProblem {
  what: string;
  line: number;
  column: number;
}

/** Reads the arguments of a call and checks them; `null` counts as absent. */
export function readArguments<Schema extends ObjectSchema>(
  schema: Schema,
  text: string,
): ReadArguments<Schema> {
  const scanner = new Scanner(text);
  try {
    const value = scanner.value(schema);
    scanner.end();
    return { arguments: value as ArgumentsOf<Schema> };
  } catch (error) {
    if (error instanceof Problem) return { problem: error.problem };
    throw error;
  }
}

class Problem extends Error {
  readonly problem: ArgumentProblem;

  constructor(problem: ArgumentProblem) {
    super(problem.what);
    this.problem = problem;
  }
}

/** Parses JSON along a schema, so that a problem has a position. */
class Scanner {
  #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  value(schema: ParameterSchema | undefined): unknown {
    const start = this.#peek("a value");
    if (start === "{") return this.#object(schema);
    if (start === "[") return this.#array(schema);
    return this.#scalar(schema);
  }

  end(): void {
    this.#skipSpace();
    if (this.#at < this.#text.length) this.#fail("trailing characters", this.#at + 1);
  }

  #object(schema: ParameterSchema | undefined): unknown {
    if (schema !== undefined && schema.type !== "object") this.#wrongType("map", schema);
    const result: Record<string, unknown> = Object.create(null);
    this.#at++;
    for (let first = true; ; first = false) {
      const next = this.#peek("an object");
      if (next === "}") break;
      if (!first && next !== ",") this.#fail("expected `,` or `}`", this.#at + 1);
      if (!first) this.#at++;
      if (this.#peek("an object") !== '"') this.#fail("key must be a string", this.#at + 1);
      const key = this.#string();
      if (this.#peek("an object") !== ":") this.#fail("expected `:`", this.#at + 1);
      this.#at++;
      const field = schema !== undefined && Object.hasOwn(schema.properties, key);
      const value = this.value(field ? schema.properties[key] : undefined);
      if (value !== null) result[key] = value;
    }
    this.#at++;
    for (const name of schema?.required ?? []) {
      if (!(name in result)) this.#fail(`missing field \`${name}\``);
    }
    return { ...result };
  }

  #array(schema: ParameterSchema | undefined): unknown[] {
    if (schema !== undefined && schema.type !== "array") this.#wrongType("sequence", schema);
    const result: unknown[] = [];
    this.#at++;
    for (let first = true; ; first = false) {
      const next = this.#peek("a list");
      if (next === "]") break;
      if (!first && next !== ",") this.#fail("expected `,` or `]`", this.#at + 1);
      if (!first) this.#at++;
      result.push(this.value(schema?.items));
    }
    this.#at++;
    return result;
  }

  #scalar(schema: ParameterSchema | undefined): unknown {
    const value = this.#text[this.#at] === '"' ? this.#string() : this.#word();
    if (schema === undefined || value === null) return value;
    const type: string =
      Number.isInteger(value) && schema.type === "integer" ? "integer" : typeof value;
    if (type !== schema.type) this.#wrongType(describe(value), schema);
    const allowed = schema.type === "string" ? schema[values] : undefined;
    if (allowed !== undefined && !allowed.includes(value as string)) {
      const expected = allowed.map((name) => `\`${name}\``).join(", ");
      this.#fail(`unknown variant \`${value}\`, expected one of ${expected}`);
    }
    return value;
  }

  #string(): string {
    const start = this.#at++;
    for (; this.#at < this.#text.length; this.#at++) {
      const char = this.#text[this.#at];
      if (char === "\\") this.#at++;
      else if (char === '"') {
        this.#at++;
        return this.#parse(this.#text.slice(start, this.#at)) as string;
      }
    }
    this.#at = this.#text.length;
    return this.#fail("EOF while parsing a string");
  }

  #word(): unknown {
    const word = /[-+.\w]*/y;
    word.lastIndex = this.#at;
    const text = word.exec(this.#text)?.[0] ?? "";
    if (text === "") this.#fail("expected value", this.#at + 1);
    this.#at += text.length;
    return this.#parse(text);
  }

  #parse(json: string): unknown {
    try {
      return JSON.parse(json);
    } catch {
      return this.#fail(json.startsWith('"') ? "invalid escape" : "expected value");
    }
  }

  #peek(inside: string): string {
    this.#skipSpace();
    return this.#text[this.#at] ?? this.#fail(`EOF while parsing ${inside}`);
  }

  #skipSpace(): void {
    while (" \t\n\r".includes(this.#text[this.#at] ?? "x")) this.#at++;
  }

  #wrongType(got: string, schema: ParameterSchema): never {
    return this.#fail(`invalid type: ${got}, expected ${expectedNames[schema.type]}`);
  }

  /** Columns count characters from 1 and name the last one read. */
  #fail(what: string, end = this.#at): never {
    const before = this.#text.slice(0, end);
    const line = before.split("\n").length;
    const column = end - (before.lastIndexOf("\n") + 1);
    throw new Problem({ what, line, column });
  }
}

const expectedNames = {
  string: "a string",
  number: "a number",
  integer: "an integer",
  boolean: "a boolean",
  array: "a sequence",
  object: "a map",
} as const;

function describe(value: unknown): string {
  if (typeof value === "string") return `string ${JSON.stringify(value)}`;
  if (typeof value === "boolean") return `boolean \`${value}\``;
  return Number.isInteger(value) ? `integer \`${value}\`` : `floating point \`${value}\``;
}
