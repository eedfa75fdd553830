import type { Check, CheckError } from "../protocol/checks/check.js";
import { isRecord } from "../protocol/read/check.js";

/** A JSON Schema, as far as the generated ones use it. */
export interface MessageSchema {
  $ref?: string;
  type?: string | readonly string[];
  const?: unknown;
  enum?: readonly unknown[];
  pattern?: string;
  minimum?: number;
  maximum?: number;
  maxItems?: number;
  properties?: Record<string, MessageSchema>;
  required?: readonly string[];
  additionalProperties?: MessageSchema | boolean;
  items?: MessageSchema;
  anyOf?: readonly MessageSchema[];
  oneOf?: readonly MessageSchema[];
  discriminator?: { propertyName: string };
}

/** Shapes by name. */
export type Shapes = Readonly<Record<string, MessageSchema>>;

/** Options of a check. */
export interface CheckOptions {
  /** Accepts `null` for an optional field, as servers do in the params of requests. */
  nullIsAbsent?: boolean;
}

/**
 * Returns a check of a named shape, for eras that have no compiled checks.
 *
 * It evaluates the schema, which takes no time to load. Unknown fields are valid, as everywhere in the protocol.
 */
export function checkOf(name: string, shapes: Shapes, options: CheckOptions = {}): Check {
  const evaluation = new Evaluation(shapes, options.nullIsAbsent ?? false);
  const check: Check = (value) => {
    const error = evaluation.problem({ $ref: `${refPrefix}${name}` }, value, "");
    check.errors = error === undefined ? null : [error];
    return error === undefined;
  };
  return check;
}

const refPrefix = "#/$defs/";

class Evaluation {
  readonly #shapes: Shapes;
  readonly #nullIsAbsent: boolean;

  constructor(shapes: Shapes, nullIsAbsent: boolean) {
    this.#shapes = shapes;
    this.#nullIsAbsent = nullIsAbsent;
  }

  /** Returns the first violation of a value at a JSON pointer. */
  problem(given: MessageSchema, value: unknown, at: string): CheckError | undefined {
    const schema = this.#resolve(given);
    const violated = scalarProblem(schema, value);
    if (violated !== undefined) return { instancePath: at, ...violated };
    return (
      this.#unionProblem(schema, value, at) ??
      (isRecord(value) ? this.#recordProblem(schema, value, at) : undefined) ??
      (Array.isArray(value) ? this.#listProblem(schema, value, at) : undefined)
    );
  }

  #resolve(schema: MessageSchema): MessageSchema {
    let found = schema;
    while (found.$ref !== undefined) found = this.#shapes[found.$ref.slice(refPrefix.length)] ?? {};
    return found;
  }

  #unionProblem(schema: MessageSchema, value: unknown, at: string): CheckError | undefined {
    const { oneOf, anyOf, discriminator } = schema;
    if (oneOf !== undefined && discriminator !== undefined) {
      return this.#taggedProblem(oneOf, discriminator.propertyName, value, at);
    }
    const members = oneOf ?? anyOf;
    if (members === undefined) return undefined;
    let nearest: CheckError | undefined;
    for (const member of members) {
      const error = this.problem(member, value, at);
      if (error === undefined) return undefined;
      // The member that fits furthest is the one that was meant.
      if (nearest === undefined || depthOf(error) > depthOf(nearest)) nearest = error;
    }
    if (nearest !== undefined && depthOf(nearest) > at.length) return nearest;
    return { instancePath: at, ...scalarUnion(members, nearest) };
  }

  #taggedProblem(
    members: readonly MessageSchema[],
    tag: string,
    value: unknown,
    at: string,
  ): CheckError | undefined {
    if (!isRecord(value)) return { instancePath: at, keyword: "type", params: { type: "object" } };
    const tagValue = value[tag];
    if (typeof tagValue !== "string") {
      return { instancePath: at, keyword: "discriminator", params: { error: "tag", tag } };
    }
    const known: string[] = [];
    for (const member of members) {
      const { const: only, enum: any = [only] } = this.#resolve(member).properties?.[tag] ?? {};
      if (any.includes(tagValue)) return this.problem(member, value, at);
      known.push(...any.map(String));
    }
    const params = { error: "mapping", tag, tagValue, known };
    return { instancePath: at, keyword: "discriminator", params };
  }

  #recordProblem(
    { properties = {}, required = [], additionalProperties }: MessageSchema,
    value: Record<string, unknown>,
    at: string,
  ): CheckError | undefined {
    for (const missingProperty of required) {
      if (Object.hasOwn(value, missingProperty)) continue;
      return { instancePath: at, keyword: "required", params: { missingProperty } };
    }
    for (const [name, inner] of Object.entries(value)) {
      const isKnown = Object.hasOwn(properties, name);
      const schema = isKnown ? properties[name] : additionalProperties;
      if (typeof schema !== "object") continue;
      if (inner === null && this.#nullIsAbsent && !required.includes(name)) continue;
      const error = this.problem(schema, inner, `${at}/${escapePointer(name)}`);
      if (error !== undefined) return error;
    }
    return undefined;
  }

  #listProblem(
    { items, maxItems }: MessageSchema,
    value: unknown[],
    at: string,
  ): CheckError | undefined {
    if (maxItems !== undefined && value.length > maxItems) {
      return { instancePath: at, keyword: "maxItems", params: { limit: maxItems } };
    }
    if (items === undefined) return undefined;
    for (const [index, inner] of value.entries()) {
      const error = this.problem(items, inner, `${at}/${index}`);
      if (error !== undefined) return error;
    }
    return undefined;
  }
}

function scalarProblem(
  schema: MessageSchema,
  value: unknown,
): Omit<CheckError, "instancePath"> | undefined {
  const { type, minimum, maximum, pattern } = schema;
  if ("const" in schema && value !== schema.const) {
    return { keyword: "const", params: { allowedValue: schema.const } };
  }
  if (schema.enum !== undefined && !schema.enum.includes(value)) {
    return { keyword: "enum", params: { allowedValues: schema.enum } };
  }
  if (type !== undefined && ![type].flat().some((one) => isOfType(one, value))) {
    return { keyword: "type", params: { type } };
  }
  if (typeof value === "number") {
    if (minimum !== undefined && value < minimum) {
      return { keyword: "minimum", params: { limit: minimum } };
    }
    if (maximum !== undefined && value > maximum) {
      return { keyword: "maximum", params: { limit: maximum } };
    }
  }
  if (typeof value === "string" && pattern !== undefined && !new RegExp(pattern, "u").test(value)) {
    return { keyword: "pattern", params: { pattern } };
  }
  return undefined;
}

/** Returns the depth at which a value stops to fit: a missing field is inside of it. */
function depthOf({ instancePath, keyword }: CheckError): number {
  return instancePath.length + (keyword === "required" || keyword === "discriminator" ? 1 : 0);
}

/** Describes a value that fits no member: the types of all if they are plain types, else the nearest problem. */
function scalarUnion(
  members: readonly MessageSchema[],
  nearest: CheckError | undefined,
): Omit<CheckError, "instancePath"> {
  const types = members.flatMap(({ type }) => type ?? []);
  if (types.length === members.length) return { keyword: "type", params: { type: types } };
  return nearest ?? { keyword: "anyOf", params: {} };
}

function isOfType(type: string, value: unknown): boolean {
  switch (type) {
    case "null":
      return value === null;
    case "array":
      return Array.isArray(value);
    case "object":
      return isRecord(value);
    case "integer":
      return Number.isInteger(value);
    default:
      return typeof value === type;
  }
}

function escapePointer(name: string): string {
  return name.replaceAll("~", "~0").replaceAll("/", "~1");
}
