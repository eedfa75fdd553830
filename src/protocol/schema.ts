import Type, { type Static, type TObject, type TSchema, type TUnsafe } from "typebox";

/** Key of a field's own description when its schema is shared. */
export const fieldText = Symbol.for("quire.fieldText");

/** Allows `null` as a distinct value. */
export function Nullable<T extends TSchema>(schema: T, options: { description?: string } = {}) {
  return Type.Union([schema, Type.Null()], options);
}

/** Makes a field optional; `null` means absent. */
export function Nullish<T extends TSchema>(schema: T, options: { description?: string } = {}) {
  return Type.Optional(Nullable(schema, options));
}

/**
 * Adds a description to a field whose schema is shared.
 *
 * The shared schema keeps its own description.
 */
export function described<T extends TSchema>(schema: T, text: string): T {
  return marked(schema, fieldText, text);
}

/** Versions of the reference that an older form of a surface can follow; `current` is our own newest form. */
export type Version = "0.39" | "0.42" | "0.45" | "0.104" | "0.166" | "current";

/** Key of the first version that has a field or a variant. */
export const firstVersion = Symbol.for("quire.firstVersion");

/**
 * Dates a field, or a variant of a union: versions before `version` do not have it.
 *
 * A part without a date is new in `current`, unless `scripts/generate/wire-baseline.txt` lists it.
 */
export function since<T extends TSchema>(version: Version, schema: T): T {
  return marked(schema, firstVersion, version);
}

/** Dates all fields of an object that are not dated themselves. */
export function allSince<Fields extends Record<string, TSchema>>(
  version: Version,
  fields: Fields,
): Fields {
  const entries = Object.entries(fields).map(([name, field]) => [
    name,
    firstVersion in field ? field : since(version, field),
  ]);
  return Object.fromEntries(entries) as Fields;
}

/** Key of the last version that has a field. */
export const lastVersion = Symbol.for("quire.lastVersion");

/** Dates a field that versions after `version` removed. */
export function until<T extends TSchema>(version: Version, schema: T): T {
  return marked(schema, lastVersion, version);
}

/** Key of the first version that sends a variant only on request. */
export const onRequestVersion = Symbol.for("quire.onRequestVersion");

/** Dates a variant that is sent only to clients that request all events, since `version`. */
export function onRequest<T extends TSchema>(version: Version, schema: T): T {
  return marked(schema, onRequestVersion, version);
}

/** Key of the first version that required `capabilities.experimentalApi` for a param. */
export const experimentalVersion = Symbol.for("quire.experimentalVersion");

/** Marks a param of a method that requires `capabilities.experimentalApi` since `version`. */
export function experimental<T extends TSchema>(version: Version, schema: T): T {
  return marked(schema, experimentalVersion, version);
}

/** Copies a schema, whose own form may be shared, with a mark that JSON Schema does not show. */
function marked<T extends TSchema>(schema: T, key: symbol, value: unknown): T {
  const descriptors = Object.getOwnPropertyDescriptors(schema);
  return Object.defineProperties({}, { ...descriptors, [key]: { value } }) as T;
}

/** Key of the schema that clients may send, if it accepts more than the normalized one. */
export const wireForm = Symbol.for("quire.wireForm");

/** Accepts any form of `wire`, which the reader normalizes to `schema`. */
export function readFrom<T extends TSchema>(wire: TSchema, schema: T): T {
  return marked(schema, wireForm, wire);
}

/** Creates a union that is discriminated by the field `tag`, so that a check tries one member only. */
export function taggedUnion<const Members extends readonly TObject[]>(
  id: string,
  tag: string,
  members: Members,
  description: string,
): TUnsafe<Static<Members[number]>> {
  const options = { $id: id, description, discriminator: { propertyName: tag } };
  return Type.Unsafe<Static<Members[number]>>({ type: "object", ...options, oneOf: members });
}

/** References a schema by `$id`, for recursive shapes. */
export function reference(id: string): TUnsafe<unknown> {
  return Type.Unsafe<unknown>({ $ref: id });
}
