import type { TSchema } from "typebox";
import type { Shape } from "../../src/config/check/shape.js";
import { ConfigToml } from "../../src/config/schema/config-toml.js";
import { RequirementsToml } from "../../src/config/schema/requirements.js";
import { type SettingFacts, settingFacts } from "../../src/config/schema/setting.js";
import { writeConfigDocs } from "./config-docs.js";
import { collectDefinitions, type Definitions, type JsonSchema } from "./definitions.js";
import { writeJsonSchema } from "./json-schema.js";
import { notice } from "./notice.js";

/** What is generated from the schema of the settings: contents by path from the project's root. */
export function generateConfig(): Map<string, string> {
  const tables = collectTables(ConfigToml);
  return new Map([
    ["src/config/check/shape.generated.ts", writeShape("./shape.js", "fileShape", ConfigToml)],
    [
      "src/config/requirements/shape.generated.ts",
      writeShape("../check/shape.js", "requirementsShape", RequirementsToml),
    ],
    ["src/config/schema/defaults.generated.ts", writeDefaults(tables)],
    ["src/config/schema/flags.generated.ts", writeFlags(tables)],
    ["schema/config.schema.json", writeJsonSchema("ConfigToml", definitionsOf(tables))],
    [
      "schema/requirements.schema.json",
      writeJsonSchema("RequirementsToml", collectDefinitions([RequirementsToml])),
    ],
    ["docs/configuration.md", writeConfigDocs(tables)],
  ]);
}

/** A table of the file: the keys it has, in order. */
export interface TableSchema {
  id: string;
  description: string;
  keys: Map<string, KeySchema>;
}

/** A key: the schema of its value and what is said about it. */
export interface KeySchema {
  schema: JsonSchema;
  facts: SettingFacts;
}

function collectTables(root: TSchema, tables = new Map<string, TableSchema>()) {
  const schema = root as JsonSchema;
  const id = String(schema.$id ?? "");
  if (schema.properties !== undefined && !tables.has(id)) {
    const keys = new Map<string, KeySchema>();
    tables.set(id, { id, description: String(schema.description), keys });
    for (const [key, value] of Object.entries(schema.properties as Record<string, JsonSchema>)) {
      keys.set(key, { schema: value, facts: factsOf(value) });
    }
  }
  for (const part of partsOf(schema)) collectTables(part as TSchema, tables);
  return tables;
}

function partsOf(schema: JsonSchema): unknown[] {
  const groups = [schema.properties, schema.patternProperties, schema.anyOf];
  const parts = groups.flatMap((group) => Object.values((group ?? {}) as object));
  return schema.items === undefined ? parts : [...parts, schema.items];
}

function factsOf(schema: JsonSchema): SettingFacts {
  const facts = (schema as { [settingFacts]?: SettingFacts })[settingFacts];
  if (facts === undefined) throw new Error("Every key is declared by setting()");
  return facts;
}

function writeShape(module: string, name: string, schema: TSchema): string {
  const shape = JSON.stringify(toShape(schema as unknown as JsonSchema));
  const head = `// ${notice}\nimport type { Shape } from "${module}";\n\n`;
  return `${head}/** The shape of the file. */\nexport const ${name}: Shape = ${shape};\n`;
}

function toShape(schema: JsonSchema): Shape {
  const facts = (schema as { [settingFacts]?: SettingFacts })[settingFacts];
  return {
    ...bareShape(schema),
    ...(facts?.project === undefined ? {} : { project: facts.project }),
    ...(facts?.path === undefined ? {} : { path: facts.path }),
    ...(facts?.ignored === undefined ? {} : { ignored: facts.ignored }),
    ...(facts?.strict === undefined ? {} : { strict: facts.strict }),
    ...(facts?.alias === undefined ? {} : { alias: facts.alias }),
  };
}

function bareShape(schema: JsonSchema): Shape {
  if (isAny(schema)) return { any: true };
  if (Array.isArray(schema.enum)) return { enum: schema.enum as string[] };
  if (Array.isArray(schema.anyOf)) return { anyOf: schema.anyOf.map(toShape) };
  if (schema.type === "array") return { items: toShape(schema.items as JsonSchema) };
  if (schema.patternProperties !== undefined) {
    const [entry] = Object.values(schema.patternProperties as Record<string, JsonSchema>);
    return { entries: toShape(entry ?? {}) };
  }
  if (schema.properties !== undefined) {
    const keys = Object.entries(schema.properties as Record<string, JsonSchema>);
    const more = schema.additionalProperties;
    const open = more === true ? { open: true as const } : {};
    const entries = isSchema(more) ? { entries: toShape(more) } : {};
    const known = Object.fromEntries(keys.map(([key, value]) => [key, toShape(value)]));
    return { keys: known, ...entries, ...open };
  }
  const {
    minimum,
    maximum,
    exclusiveMinimum: above,
  } = schema as { minimum?: number; maximum?: number; exclusiveMinimum?: number };
  return {
    type: schema.type as NonNullable<Shape["type"]>,
    ...(minimum === undefined ? {} : { minimum }),
    ...(maximum === undefined ? {} : { maximum }),
    ...(above === undefined ? {} : { above }),
  };
}

function writeDefaults(tables: Map<string, TableSchema>): string {
  const all: Record<string, Record<string, unknown>> = {};
  for (const { id, keys } of tables.values()) {
    const known = [...keys].filter(([, { facts }]) => facts.default !== undefined);
    if (known.length === 0) continue;
    all[id] = Object.fromEntries(known.map(([key, { facts }]) => [key, facts.default]));
  }
  const text = JSON.stringify(all, null, 2);
  return `// ${notice}\n\n/** Default values by table and key. */\nexport const defaults = ${text} as const;\n`;
}

/** Writes the command-line options that keys of the top level declare by `flag`. */
function writeFlags(tables: Map<string, TableSchema>): string {
  const options = [...(tables.get("ConfigToml")?.keys ?? [])].flatMap(
    ([key, { schema, facts }]) => {
      if (facts.flag === undefined) return [];
      const flag = typeof facts.flag === "string" ? { name: facts.flag } : facts.flag;
      const { type, enum: choices } = bareShape(schema);
      const option = {
        key,
        type: type === "boolean" ? "boolean" : "string",
        ...(type === "integer" || type === "number" ? { number: type } : {}),
        ...(flag.short === undefined ? {} : { short: flag.short }),
        ...(type === "boolean" ? {} : { value: flag.value ?? "VALUE" }),
        ...(choices === undefined ? {} : { choices }),
        group: flag.group ?? "settings",
        help: flag.help ?? facts.text.replace(/\.$/, ""),
      };
      return [[flag.name.replace(/^--/, ""), option]];
    },
  );
  const text = JSON.stringify(Object.fromEntries(options), null, 2);
  return `// ${notice}\n\n/** Command-line options declared by config keys, by option name. */\nexport const configFlags = ${text} as const;\n`;
}

/** The definitions with what JSON Schema has a word for and the facts know: the defaults. */
function definitionsOf(tables: Map<string, TableSchema>): Definitions {
  const definitions = collectDefinitions([ConfigToml]);
  for (const { id, keys } of tables.values()) {
    const properties = definitions.get(id)?.properties as Record<string, JsonSchema>;
    for (const [key, { facts }] of keys) {
      if (facts.default !== undefined)
        properties[key] = { ...properties[key], default: facts.default };
    }
  }
  return definitions;
}

function isSchema(value: unknown): value is JsonSchema {
  return typeof value === "object" && value !== null;
}

function isAny({ type, enum: values, anyOf, properties, patternProperties }: JsonSchema): boolean {
  return [type, values, anyOf, properties, patternProperties].every((part) => part === undefined);
}
