import { closure, type Definitions } from "./definitions.js";

/** Writes a shape and its parts as a self-contained JSON Schema. */
export function writeJsonSchema(root: string, definitions: Definitions): string {
  const defs = Object.fromEntries([...closure(definitions, [root])].sort(byName));
  const schema = {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    title: root,
    $ref: root,
    $defs: defs,
  };
  return `${JSON.stringify(withPointers(schema), null, 2)}\n`;
}

function byName([left]: [string, unknown], [right]: [string, unknown]): number {
  return left < right ? -1 : 1;
}

function withPointers(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withPointers);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([keyword, entry]) =>
    keyword === "$ref" && typeof entry === "string"
      ? [keyword, `#/$defs/${entry}`]
      : [keyword, withPointers(entry)],
  );
  return Object.fromEntries(entries);
}
