import { Ajv } from "ajv";
import standaloneCode from "ajv/dist/standalone/index.js";
import { transform } from "esbuild";
import { closure, type Definitions, type JsonSchema } from "./definitions.js";
import { notice } from "./notice.js";
import type { CheckFile } from "./surfaces.js";

/** Writes the checks of a surface as a module without dependencies. */
export async function writeChecks(file: CheckFile, definitions: Definitions): Promise<string> {
  const source = standalone(file, toCheckable(file, definitions));
  if (/\brequire\(|^import /m.test(source)) {
    throw new Error(`The checks of ${file.name} need ajv at run time; avoid that keyword.`);
  }
  const short = withKnownTags(source).replaceAll(/schemaPath:"(?:[^"\\]|\\.)*",/g, ""); // unused
  const { code } = await transform(short, {
    format: "esm",
    target: "node20",
    minify: true,
    treeShaking: true,
  });
  return `// ${notice}\n${code}`;
}

/** Adds the known tags to the error of an unknown one; they are taken from the generated comparisons. */
function withKnownTags(source: string): string {
  const unknown = /(error: "mapping", tag: "[^"]*", tagValue: (tag\d+))\}/g;
  return source.replaceAll(unknown, (_, params: string, name: string, at: number) => {
    const start = source.lastIndexOf(`const ${name} =`, at);
    const compared = new RegExp(`\\b${name} === ("(?:[^"\\\\]|\\\\.)*")`, "g");
    const known = [...source.slice(start, at).matchAll(compared)].map(([, tag]) => tag);
    return `${params}, known: [${known.join(",")}]}`;
  });
}

/** Declares the module that `writeChecks` writes. */
export function writeCheckTypes(file: CheckFile): string {
  const lines = file.checks.map((name) => `export declare const ${checkName(name)}: Check;`);
  return `// ${notice}\nimport type { Check } from "./check.js";\n\n${lines.join("\n")}\n`;
}

function checkName(definition: string): string {
  return `check${definition}`;
}

function standalone(file: CheckFile, schemas: Map<string, JsonSchema>): string {
  const code = { source: true, esm: true, lines: false, optimize: 2 } as const;
  const ajv = new Ajv({ code, discriminator: true, messages: false, strict: false });
  for (const [name, schema] of schemas) ajv.addSchema(schema, name);
  const exported = Object.fromEntries(file.checks.map((name) => [checkName(name), name]));
  const write = standaloneCode as unknown as (ajv: Ajv, names: Record<string, string>) => string;
  return write(ajv, exported);
}

/** Removes parts that are not checked: descriptions, and shapes that another file checks. */
function toCheckable(file: CheckFile, definitions: Definitions): Map<string, JsonSchema> {
  const open = new Map(definitions);
  for (const name of file.open) open.set(name, { type: "object" });
  const needed = closure(open, file.checks);
  return new Map([...needed].map(([name, schema]) => [name, lean(schema, needed) as JsonSchema]));
}

function lean(value: unknown, definitions: Definitions): unknown {
  if (Array.isArray(value)) return value.map((entry) => lean(entry, definitions));
  if (typeof value !== "object" || value === null) return value;
  const schema = orNull(value as JsonSchema, definitions) ?? value;
  const entries = Object.entries(schema).filter(
    ([keyword, text]) => !(keyword === "description" && typeof text === "string"),
  );
  return Object.fromEntries(entries.map(([keyword, entry]) => [keyword, lean(entry, definitions)]));
}

/** Merges "T or null" into one schema where possible: ajv would try two branches in turn. */
function orNull(schema: JsonSchema, definitions: Definitions): JsonSchema | undefined {
  const [first, second, ...more] = (schema.anyOf ?? []) as JsonSchema[];
  if (first === undefined || second?.type !== "null" || more.length > 0) return undefined;
  const named = typeof first.$ref === "string" ? definitions.get(first.$ref) : undefined;
  const shape = named?.enum === undefined ? first : named;
  if (Array.isArray(shape.enum)) return { enum: [...shape.enum, null] };
  return typeof shape.type === "string" ? { ...shape, type: [shape.type, "null"] } : undefined;
}
