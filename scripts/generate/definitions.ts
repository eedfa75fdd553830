import type { TSchema } from "typebox";
import { fieldText, wireForm } from "../../src/protocol/schema.js";

/** A piece of JSON Schema. */
export interface JsonSchema {
  [keyword: string]: unknown;
}

/** Named schemas by `$id`; nested named schemas are replaced with references. */
export type Definitions = Map<string, JsonSchema>;

/** Form of a schema: as clients may send it, or as it is checked after normalization. */
export type Form = "wire" | "checked";

/** Collects the named schemas of `roots`, in order of first use. */
export function collectDefinitions(roots: readonly TSchema[], form: Form = "wire"): Definitions {
  const definitions: Definitions = new Map();
  const collected: Collected = { definitions, form };
  for (const root of roots) toReference(root as JsonSchema, collected);
  return definitions;
}

interface Collected {
  definitions: Definitions;
  form: Form;
}

/** Returns the names that a definition references. */
export function referencesOf(schema: unknown, found = new Set<string>()): Set<string> {
  if (Array.isArray(schema)) {
    for (const entry of schema) referencesOf(entry, found);
  } else if (isSchema(schema)) {
    if (typeof schema.$ref === "string") found.add(schema.$ref);
    for (const value of Object.values(schema)) referencesOf(value, found);
  }
  return found;
}

/** Returns the definitions of `names` and of everything they reference. */
export function closure(definitions: Definitions, names: readonly string[]): Definitions {
  const needed = new Set(names);
  for (const name of needed) {
    for (const next of referencesOf(definitions.get(name))) needed.add(next);
  }
  const entries = [...definitions].filter(([name]) => needed.has(name));
  return new Map(entries);
}

function toReference(schema: JsonSchema, collected: Collected): JsonSchema {
  const text = (schema as { [fieldText]?: string })[fieldText];
  const wire = (schema as { [wireForm]?: JsonSchema })[wireForm];
  if (wire !== undefined && collected.form === "wire") return toReference(wire, collected);
  if (typeof schema.$id !== "string") {
    const plain = toPlain(schema, collected);
    return text === undefined ? plain : { ...plain, description: text };
  }
  define(schema.$id, schema, collected);
  return text === undefined ? { $ref: schema.$id } : { $ref: schema.$id, description: text };
}

function define(id: string, schema: JsonSchema, collected: Collected): void {
  const { definitions } = collected;
  if (definitions.has(id)) return;
  definitions.set(id, {}); // reserves the position and ends recursion
  const { $id: _, ...rest } = schema;
  definitions.set(id, toPlain(rest, collected));
}

/** Replaces named parts with references and pattern maps with `additionalProperties`. */
function toPlain(schema: JsonSchema, collected: Collected): JsonSchema {
  const plain: JsonSchema = {};
  for (const [keyword, value] of Object.entries(schema)) {
    if (keyword === "patternProperties") {
      const [entry] = Object.values(value as Record<string, JsonSchema>);
      plain.additionalProperties = toReference(entry ?? {}, collected);
    } else if (keyword === "properties") {
      plain[keyword] = mapValues(value as Record<string, JsonSchema>, (field) =>
        toReference(field, collected),
      );
    } else if (Array.isArray(value)) {
      plain[keyword] = value.map((entry) =>
        isSchema(entry) ? toReference(entry, collected) : entry,
      );
    } else {
      plain[keyword] =
        isSchema(value) && keyword === "items" ? toReference(value, collected) : value;
    }
  }
  return plain;
}

function mapValues<T, R>(record: Record<string, T>, change: (value: T) => R): Record<string, R> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value)]));
}

function isSchema(value: unknown): value is JsonSchema {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
