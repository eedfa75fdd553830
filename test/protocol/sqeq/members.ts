/** A member of a tagged union: its tag and the names of its fields. */
export interface Member {
  type: string;
  required: string[];
  optional: string[];
}

/** Returns the members of a union schema that is discriminated by `type`. */
export function membersOf(union: unknown): Member[] {
  const { oneOf } = union as { oneOf: ObjectSchema[] };
  return oneOf.map(({ properties, required = [] }) => ({
    type: String(properties.type?.const),
    required: required.filter((field) => field !== "type" && !isAny(properties[field])),
    optional: Object.keys(properties).filter((field) => !required.includes(field)),
  }));
}

interface ObjectSchema {
  properties: Record<string, Record<string, unknown>>;
  required?: string[];
}

/** A field that accepts any JSON cannot have a wrong value. */
function isAny(schema: Record<string, unknown> | undefined): boolean {
  return Object.keys(schema ?? {}).every((keyword) => keyword === "description");
}
