import {
  type AppServerSchema,
  isAnswered,
  messagesOf,
  messageUnions,
  type Schema,
} from "./app-server-schema.js";

/** The protocol as JSON Schema, by the paths of its files: a shape a file, and one file with all. */
export function toJsonSchemaFiles(all: AppServerSchema): Map<string, string> {
  const { $defs } = all;
  const files = new Map<string, string>();
  const add = (path: string, schema: object) =>
    files.set(path, `${JSON.stringify(schema, moveReferences, 2)}\n`);
  for (const [name, schema] of Object.entries($defs)) {
    add(`v2/${name}.json`, whole(name, schema, $defs));
  }
  for (const [name, kind] of Object.entries(messageUnions)) {
    const oneOf: Schema[] = messagesOf(all, kind).map(({ name: method, summary, params }) => ({
      type: "object",
      description: summary,
      properties: {
        ...(isAnswered(kind) ? { id: requestId } : {}),
        method: { const: method },
        ...(params === undefined ? {} : { params: { $ref: `#/$defs/${params}` } }),
      },
      required: [...(isAnswered(kind) ? ["id"] : []), "method"],
    }));
    add(`${name}.json`, whole(name, { oneOf }, $defs));
  }
  add("codex_app_server_protocol.v2.schemas.json", {
    $schema: dialect,
    title: "CodexAppServerProtocolV2",
    definitions: $defs,
  });
  return files;
}

const dialect = "http://json-schema.org/draft-07/schema#";
const requestId = { type: ["string", "integer"] };

/** A shape with all that it refers to, so that its file stands alone. */
function whole(title: string, schema: Schema, all: Record<string, Schema>): object {
  const needed = new Map<string, Schema>();
  const visit = (value: unknown): void => {
    if (typeof value !== "object" || value === null) return;
    for (const [key, inner] of Object.entries(value)) {
      if (key === "$ref" && typeof inner === "string") take(inner.slice("#/$defs/".length));
      else visit(inner);
    }
  };
  const take = (name: string): void => {
    const found = all[name];
    if (found === undefined || needed.has(name)) return;
    needed.set(name, found);
    visit(found);
  };
  visit(schema);
  const definitions = needed.size === 0 ? {} : { definitions: Object.fromEntries(needed) };
  return { $schema: dialect, title, ...schema, ...definitions };
}

/** Generators for other languages know the older place of definitions best. */
function moveReferences(key: string, value: unknown): unknown {
  if (key !== "$ref" || typeof value !== "string") return value;
  return value.replace("#/$defs/", "#/definitions/");
}
