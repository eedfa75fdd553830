import {
  type Folder,
  isAnswered,
  messagesOf,
  messageUnions,
  nameIn,
  type PlacedMessage,
  type Protocol,
  referencesIn,
  type Schema,
} from "./app-server-schema.js";

/** The protocol as JSON Schema, by the paths of its files: a shape a file, and files with all. */
export function toJsonSchemaFiles(all: Protocol): Map<string, string> {
  const files = new Map<string, string>();
  const add = (path: string, schema: object) =>
    files.set(path, `${JSON.stringify(schema, null, 2)}\n`);
  const { v1, v2 } = all;
  const called = new Set(v1.messages.flatMap(({ params, result }) => [params, result]));
  for (const [name, schema] of Object.entries(v1.$defs)) {
    add(`${called.has(name) ? "v1/" : ""}${name}.json`, whole(name, schema, all, ""));
  }
  for (const [name, schema] of Object.entries(v2.$defs)) {
    add(`v2/${name}.json`, whole(name, schema, all, "v2"));
  }
  for (const [name, kind] of Object.entries(messageUnions)) {
    add(`${name}.json`, unionOf(name, messagesOf(all, kind), all));
  }
  add("codex_app_server_protocol.v2.schemas.json", {
    $schema: behavior,
    title: "CodexAppServerProtocolV2",
    definitions: inFolder(v2.$defs, ""),
  });
  add("codex_app_server_protocol.schemas.json", {
    $schema: behavior,
    title: "CodexAppServerProtocol",
    definitions: { ...inFolder(v1.$defs, ""), v2: inFolder(v2.$defs, "v2") },
  });
  return files;
}

function unionOf(title: string, messages: readonly PlacedMessage[], all: Protocol): object {
  const needed: Record<Folder, string[]> = { "": [], v2: [] };
  const oneOf = messages.map(({ name, summary, params, kind, folder }) => {
    if (params !== undefined) needed[folder].push(params);
    const prefix = folder === "" ? "#/definitions/" : `#/definitions/${folder}/`;
    return {
      type: "object",
      description: summary,
      properties: {
        ...(isAnswered(kind) ? { id: requestId } : {}),
        method: name.endsWith("*") ? { pattern: `^${name.slice(0, -1)}` } : { const: name },
        ...(params === undefined ? {} : { params: { $ref: `${prefix}${params}` } }),
      },
      required: [...(isAnswered(kind) ? ["id"] : []), "method"],
    };
  });
  const definitions = {
    ...inFolder(partsOf(needed[""], all.v1.$defs), ""),
    v2: inFolder(partsOf(needed.v2, all.v2.$defs), "v2"),
  };
  return { $schema: behavior, title, oneOf, definitions };
}

const behavior = "http://json-schema.org/draft-07/schema#";
const requestId = { type: ["string", "integer"] };

/** Returns a shape with all shapes it refers to, so that its file is self-contained. */
function whole(title: string, schema: Schema, { v1, v2 }: Protocol, folder: Folder): object {
  const $defs = folder === "" ? v1.$defs : v2.$defs;
  const definitions = inFolder(partsOf(referencesIn(schema), $defs), "");
  const parts = Object.keys(definitions).length === 0 ? {} : { definitions };
  return { $schema: behavior, title, ...(inFolder({ schema }, "").schema as object), ...parts };
}

/** The shapes of these names, and those they refer to. */
function partsOf(names: readonly string[], all: Record<string, Schema>): Record<string, Schema> {
  const needed = new Set(names);
  for (const name of needed) for (const next of referencesIn(all[name])) needed.add(next);
  return Object.fromEntries([...needed].map((name) => [name, all[name] ?? {}]));
}

/** Generators for other languages know the older place of definitions best. */
function inFolder($defs: Record<string, Schema>, folder: Folder): Record<string, unknown> {
  const prefix = folder === "" ? "#/definitions/" : `#/definitions/${folder}/`;
  return JSON.parse(JSON.stringify($defs), (key, value) =>
    key === "$ref" && typeof value === "string" ? `${prefix}${nameIn(value)}` : value,
  );
}
