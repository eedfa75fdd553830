import Type, { type Static, type TObject, type TSchema, type TUnsafe } from "typebox";

/** Where a field's own description is kept when its schema is a shared one with a name. */
export const fieldText = Symbol.for("quire.fieldText");

/** A value that may also be `null`, where `null` says something. */
export function Nullable<T extends TSchema>(schema: T, options: { description?: string } = {}) {
  return Type.Union([schema, Type.Null()], options);
}

/** A field that may be absent or `null`, both meaning the same. */
export function Nullish<T extends TSchema>(schema: T, options: { description?: string } = {}) {
  return Type.Optional(Nullable(schema, options));
}

/**
 * Describes a field whose schema is shared.
 *
 * The shared schema keeps its own description; the field's stands beside the reference to it.
 */
export function described<T extends TSchema>(schema: T, text: string): T {
  const descriptors = Object.getOwnPropertyDescriptors(schema);
  return Object.defineProperties({}, { ...descriptors, [fieldText]: { value: text } }) as T;
}

/** Where the form that clients may send is kept when it is more than what is checked after reading. */
export const wireForm = Symbol.for("quire.wireForm");

/** A field that is read from any form of `wire` and checked as `schema`. */
export function readFrom<T extends TSchema>(wire: TSchema, schema: T): T {
  const descriptors = Object.getOwnPropertyDescriptors(schema);
  return Object.defineProperties({}, { ...descriptors, [wireForm]: { value: wire } }) as T;
}

/** A union told apart by the value of one field, so that a reader looks at one member only. */
export function taggedUnion<const Members extends readonly TObject[]>(
  id: string,
  tag: string,
  members: Members,
  description: string,
): TUnsafe<Static<Members[number]>> {
  const options = { $id: id, description, discriminator: { propertyName: tag } };
  return Type.Unsafe<Static<Members[number]>>({ type: "object", ...options, oneOf: members });
}

/** Names a schema that is defined further up, where embedding it would never end. */
export function reference(id: string): TUnsafe<unknown> {
  return Type.Unsafe<unknown>({ $ref: id });
}
