import type { TSchema } from "typebox";
import { ThreadEvent } from "../../src/protocol/exec/events.js";
import type { Declaration } from "../../src/protocol/rpc/declare.js";
import { resources as v1 } from "../../src/protocol/rpc/v1/resources.generated.js";
import { resources as v2 } from "../../src/protocol/rpc/v2/resources.generated.js";
import { unsupported } from "../../src/protocol/rpc/v2/unsupported.js";
import { EventMsg } from "../../src/protocol/sqeq/events.generated.js";
import { writeChecks, writeCheckTypes } from "./checks.js";
import { collectDefinitions, type Definitions, type JsonSchema } from "./definitions.js";
import { writeShapes } from "./docs.js";
import { notice } from "./notice.js";
import type { CheckFile } from "./surfaces.js";
import { type WireSources, writeNewestWire, writeWireTable } from "./wire.js";

/** A version of the JSON-RPC surface and the paths of its generated files. */
interface Surface {
  name: "v1" | "v2";
  resources: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  schema: string;
  docs: string;
  title: string;
  intro: string;
}

const scopes =
  " The scope of a message is `server` (state that all clients share), `connection` (this client only) or " +
  "`thread`. Notifications of scope `server` are sent to all clients, of scope `thread` to its subscribers.";

const surfaces: readonly Surface[] = [
  {
    name: "v1",
    resources: v1,
    schema: "schema/app-server-v1.schema.json",
    docs: "docs/app-server-v1.md",
    title: "The app-server, version 1",
    intro:
      "The older methods. The app-server serves them beside [version 2](app-server.md), also before `initialize`, and the MCP server does too. Names are camelCase; snake_case is accepted in requests. Shapes of the queues are in [the protocol](protocol.md). A field with `?` is optional; `null` means absent." +
      scopes,
  },
  {
    name: "v2",
    resources: v2,
    schema: "schema/app-server.schema.json",
    docs: "docs/app-server.md",
    title: "The app-server, version 2",
    intro:
      "JSON-RPC without the `jsonrpc` member unless the client sends it; see [the guide](protocol-guide.md). The older methods are in [version 1](app-server-v1.md). A field with `?` is optional; `null` means absent." +
      scopes,
  },
];

/** Returns the files generated from the declarations: contents by path from the project's root. */
export async function generateRpc(): Promise<Map<string, string>> {
  const files = await Promise.all(surfaces.map(generateSurface));
  const declarations = surfaces.map(({ resources }) => allDeclarations(resources));
  return new Map([
    ...files.flatMap((one) => [...one]),
    ["docs/compatibility.md", writeCompatibility(declarations.flat())],
    ["src/compat/wire.generated.ts", writeWireTable(wireSources())],
    ["src/compat/newest-wire.generated.ts", writeNewestWire(wireSources())],
  ]);
}

/** Returns the declarations of all messages that older eras receive in another form. */
export function wireSources(): WireSources {
  return { v2: allDeclarations(v2), unions: { events: EventMsg, exec: ThreadEvent } };
}

function allDeclarations(resources: Surface["resources"]): Declaration[] {
  return Object.values(resources).flatMap(declarationsOf).sort(byName);
}

async function generateSurface(surface: Surface): Promise<Map<string, string>> {
  const { name, resources } = surface;
  const declarations = allDeclarations(resources);
  refuseRepeats(declarations);
  const shapes = shapesByName(resources);
  const schemas = [...shapes.values()].map(({ schema }) => schema);
  const definitions = collectDefinitions(schemas);
  const methods = declarations.filter(({ kind }) => kind === "method");
  const checked = collectDefinitions(schemas, "checked");
  const files = await Promise.all(
    checkFilesOf(name, methods).map(async (file): Promise<[string, string][]> => {
      const path = `src/protocol/checks/${file.name}.generated`;
      return [
        [`${path}.js`, await writeChecks(file, checked)],
        [`${path}.d.ts`, writeCheckTypes(file)],
      ];
    }),
  );
  return new Map([
    ...files.flat(),
    [`src/protocol/rpc/${name}/methods.generated.ts`, writeMethods(surface, declarations, shapes)],
    [surface.schema, writeSchema(surface.title, declarations, definitions)],
    [surface.docs, writeDocs(surface, declarations, definitions)],
  ]);
}

/** Methods of a first turn; their checks are a separate file, so that it does not load the others. */
const firstMethods: ReadonlySet<string> = new Set(["initialize", "thread/start", "turn/start"]);

function checkFilesOf(surface: Surface["name"], methods: readonly Declaration[]): CheckFile[] {
  const names = (some: readonly Declaration[]) =>
    [...new Set(some.map(({ params }) => nameOf(params)))].sort();
  if (surface === "v1") return [{ name: surface, checks: names(methods), open: [] }];
  const isFirst = ({ name }: Declaration) => firstMethods.has(name);
  return [
    { name: "v2-first", checks: names(methods.filter(isFirst)), open: [] },
    { name: "v2", checks: names(methods.filter((one) => !isFirst(one))), open: [] },
  ];
}

/** A named shape with its module. */
interface Shape {
  module: string;
  schema: TSchema;
}

/** Returns the messages that a module declares, in a list or each as an export. */
export function declarationsOf(module: Readonly<Record<string, unknown>>): Declaration[] {
  return Object.values(module).flat().filter(isDeclaration);
}

function isDeclaration(value: unknown): value is Declaration {
  return typeof value === "object" && value !== null && "summary" in value && "params" in value;
}

function shapesByName(resources: Surface["resources"]): Map<string, Shape> {
  const shapes = new Map<string, Shape>();
  for (const [module, exports] of Object.entries(resources)) {
    for (const [name, schema] of Object.entries(exports).sort()) {
      const id = (schema as JsonSchema | null)?.$id;
      if (id === undefined) continue;
      if (id !== name) throw new Error(`${module}: ${name} has the $id ${id}`);
      if (shapes.has(name)) throw new Error(`${name} is in ${module} and another module`);
      shapes.set(name, { module, schema: schema as TSchema });
    }
  }
  return shapes;
}

function refuseRepeats(declarations: readonly Declaration[]): void {
  const names = declarations.map(({ name }) => name);
  const repeated = names.find((name, index) => names.indexOf(name) !== index);
  if (repeated !== undefined) throw new Error(`${repeated} is declared twice`);
}

function writeMethods(
  { name }: Surface,
  declarations: readonly Declaration[],
  shapes: Map<string, Shape>,
): string {
  const of = (kind: Declaration["kind"]) => declarations.filter((one) => one.kind === kind);
  const version = name.toUpperCase();
  const parts = [
    `// ${notice}`,
    `import * as checks from "../../checks/${name}.generated.js";`,
    ...(name === "v2"
      ? ['import * as firstChecks from "../../checks/v2-first.generated.js";']
      : []),
    `import { ${name === "v1" ? "bareMethod, type RpcMethods" : "type RpcMethods, v2Method"} } from "../../read/check.js";`,
    ...(name === "v1" ? ['import { v1Method } from "./params.js";'] : []),
    ...typeImports(declarations, shapes),
    "",
    ...typeMap(`${version}Methods`, "Methods that clients call.", of("method")),
    "",
    ...typeMap(
      `${version}ServerRequests`,
      "Requests that the server sends to clients.",
      of("server request"),
    ),
    "",
    ...typeMap(
      `${version}Notifications`,
      "Notifications that the server sends, with their params.",
      of("notification"),
    ),
    "",
    "/** Param checks of the methods that clients call. */",
    `export const ${name}Methods: RpcMethods<${version}Methods> = {`,
    ...of("method").map((method) => methodRow(name, method)),
    "};",
  ];
  return `${parts.join("\n")}\n`;
}

function typeImports(declarations: readonly Declaration[], shapes: Map<string, Shape>): string[] {
  const byModule = new Map<string, Set<string>>();
  for (const { params, result } of declarations) {
    for (const schema of [params, ...(result === undefined ? [] : [result])]) {
      const name = nameOf(schema);
      const module = shapes.get(name)?.module;
      if (module === undefined) throw new Error(`${name} is exported by no module`);
      byModule.set(module, (byModule.get(module) ?? new Set()).add(name));
    }
  }
  return [...byModule].sort().map(([module, names]) => {
    return `import type { ${[...names].sort().join(", ")} } from "./${module}.js";`;
  });
}

function methodRow(surface: Surface["name"], { name, params }: Declaration): string {
  const key = JSON.stringify(name);
  // Clients of v1 send anything as params of a method that takes none.
  if (surface === "v1" && nameOf(params) === "NoParams") return `  ${key}: bareMethod(${key}),`;
  const fields = Object.entries(
    (params as { properties?: Record<string, JsonSchema> }).properties ?? {},
  );
  const nullable = fields.filter(([, schema]) => takesNull(schema)).map(([field]) => field);
  const list = nullable.length > 0 ? `, ${JSON.stringify(nullable)}` : "";
  if (surface === "v1") return `  ${key}: v1Method(${key}, checks.check${nameOf(params)}),`;
  const file = firstMethods.has(name) ? "firstChecks" : "checks";
  return `  ${key}: v2Method(${key}, () => ${file}.check${nameOf(params)}${list}),`;
}

function takesNull(schema: JsonSchema): boolean {
  const members = (schema.anyOf ?? []) as JsonSchema[];
  return schema.type === undefined && members.length === 0 && schema.$ref === undefined
    ? schema.const === undefined && schema.enum === undefined && schema.oneOf === undefined
    : members.some(({ type }) => type === "null");
}

function typeMap(name: string, text: string, declarations: readonly Declaration[]): string[] {
  const rows = declarations.map(({ name: method, params, result }) => {
    const type =
      result === undefined
        ? nameOf(params)
        : `{ params: ${nameOf(params)}; result: ${nameOf(result)} }`;
    return `  ${JSON.stringify(method)}: ${type};`;
  });
  return [`/** ${text} */`, `export interface ${name} {`, ...rows, "}"];
}

/** Writes the messages with their shapes: enough to generate types in any language. */
function writeSchema(
  title: string,
  declarations: readonly Declaration[],
  definitions: Definitions,
): string {
  const messages = declarations.map(({ kind, name, summary, scope, params, result, ...more }) => ({
    kind,
    name,
    summary,
    scope,
    ...(more.experimental ? { experimental: true } : {}),
    params: nameOf(params),
    ...(result === undefined ? {} : { result: nameOf(result) }),
  }));
  const schema = {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    title,
    messages,
    $defs: Object.fromEntries([...definitions].sort(([a], [b]) => (a < b ? -1 : 1))),
  };
  const text = JSON.stringify(schema, null, 2);
  return `${text.replaceAll(/"\$ref": "(\w+)"/g, '"$ref": "#/$defs/$1"')}\n`;
}

function writeDocs(
  { name, title, intro, resources }: Surface,
  declarations: readonly Declaration[],
  definitions: Definitions,
): string {
  const chapters = [
    ["Client requests", "method"],
    ["Server requests", "server request"],
    ["Server notifications", "notification"],
  ] as const;
  const tables = chapters.map(([chapter, kind]) => {
    const rows = declarations.filter((one) => one.kind === kind).map(row);
    return `## ${chapter}\n\n| name | params | result | scope | meaning |\n| --- | --- | --- | --- | --- |\n${rows.join("\n")}`;
  });
  const head = `# ${title}\n\n<!-- ${notice} -->\n\n${intro}`;
  const own = shapesByName(resources);
  const isOwn = (shape: string) => name === "v2" || own.has(shape);
  const shown = new Map([...definitions].filter(([shape]) => isOwn(shape)));
  const shapes = writeShapes(shown).replaceAll(/\[(\w+)\]\(#/g, (link, shape: string) =>
    isOwn(shape) ? link : `[${shape}](protocol.md#`,
  );
  return `${[head, ...tables, "## Shapes", shapes].join("\n\n")}\n`;
}

function row({ name, summary, scope, params, result, experimental }: Declaration): string {
  const link = (schema: TSchema | undefined) =>
    schema === undefined ? "" : `[${nameOf(schema)}](#${nameOf(schema).toLowerCase()})`;
  const mark = experimental ? " Experimental." : "";
  return `| \`${name}\` | ${link(params)} | ${link(result)} | ${scope} | ${summary}${mark} |`;
}

function writeCompatibility(declarations: readonly Declaration[]): string {
  const answered = declarations.map(
    ({ kind, name, summary }) => `| \`${name}\` | ${kind} | ${summary} |`,
  );
  const refused = Object.entries(unsupported).map(([name, why]) => `| \`${name}\` | ${why} |`);
  return `${[
    "# Compatibility",
    `<!-- ${notice} -->`,
    "Methods of the reference's app-server protocol that are supported, and methods that are refused with an error.",
    "## Supported",
    ["| message | kind | meaning |", "| --- | --- | --- |", ...answered].join("\n"),
    "## Not supported",
    ["| method | why |", "| --- | --- |", ...refused].join("\n"),
  ].join("\n\n")}\n`;
}

function nameOf(schema: TSchema): string {
  return String((schema as JsonSchema).$id);
}

function byName(a: Declaration, b: Declaration): number {
  return a.name < b.name ? -1 : 1;
}
