import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { notice } from "./notice.js";

const folder = "src/protocol";

/**
 * Returns the lists that follow from which declarations exist, by path from the project's root: the unions
 * of ops and events, the JSON-RPC resources and the public names.
 *
 * It reads the text of `src/protocol` and imports none of it, so it works when generated files are
 * missing or have conflict markers.
 */
export function generateLists(root = "."): Map<string, string> {
  const protocol = join(root, folder);
  return new Map([
    [`${folder}/sqeq/ops.generated.ts`, unionFile(protocol, ops)],
    [`${folder}/sqeq/events.generated.ts`, unionFile(protocol, events)],
    [`${folder}/rpc/v1/resources.generated.ts`, resourcesFile(protocol, "v1")],
    [`${folder}/rpc/v2/resources.generated.ts`, resourcesFile(protocol, "v2")],
    [`${folder}/index.ts`, indexFile(protocol)],
  ]);
}

interface Union {
  name: string;
  folder: string;
  suffix: string;
  description: string;
}

const ops: Union = {
  name: "Op",
  folder: "ops",
  suffix: "Op",
  description: "A request of a client to the engine.",
};

const events: Union = {
  name: "EventMsg",
  folder: "events",
  suffix: "Event",
  description: "The payload of an event. Clients must ignore types that they do not know.",
};

/**
 * A union has every schema of the family files with a `type` and a name that ends in the suffix. An event that
 * only answers an op may be declared next to it.
 */
function unionFile(protocol: string, { name, suffix, description }: Union): string {
  const files = ["events", "ops"].flatMap((folder) =>
    sourcesIn(join(protocol, "sqeq", folder)).map((file) => `${folder}/${file}`),
  );
  const families = files.map((file) => {
    const members = [...readFileSync(join(protocol, "sqeq", file), "utf8").matchAll(tagged)];
    const names = members.map(([, member = ""]) => member);
    return { file, names: names.filter((member) => member.endsWith(suffix)) };
  });
  const members = families.flatMap(({ names }) => names);
  const imports = families
    .filter(({ names }) => names.length > 0)
    .map(({ file, names }) => importLine([...names].sort(), `./${toModule(file)}`));
  return `${[
    `// ${notice}`,
    'import { taggedUnion } from "../schema.js";',
    ...imports,
    "",
    `/** ${description} */`,
    `export type ${name} =\n${members.map((member) => `  | ${member}`).join("\n")};`,
    `export const ${name} = taggedUnion(`,
    `  "${name}",\n  "type",`,
    `  [\n${members.map((member) => `    ${member},`).join("\n")}\n  ],`,
    `  ${JSON.stringify(description)},\n);`,
  ].join("\n")}\n`;
}

const tagged =
  /^export const (\w+) = (?:\w+\(\s*"[^"]+",\s*)*Type\.Object\(\s*\{\s*type: Type\.Literal\("[a-z_]+"\)/gm;

/** A resource is a file of a surface that declares methods, notifications or shapes. */
function resourcesFile(protocol: string, surface: "v1" | "v2"): string {
  const modules = sourcesIn(join(protocol, "rpc", surface))
    .filter((file) => declaresShapes(readFileSync(join(protocol, "rpc", surface, file), "utf8")))
    .map((file) => file.replace(/\.ts$/, ""));
  const local = (module: string) => module.replace(/-(.)/g, (_, letter) => letter.toUpperCase());
  return `${[
    `// ${notice}`,
    ...modules.map((module) => `import * as ${local(module)} from "./${module}.js";`),
    "",
    `/** The modules that declare messages of ${surface}, by file name. For the generator only. */`,
    "export const resources: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {",
    ...modules.map((module) => `  ${JSON.stringify(module)}: ${local(module)},`),
    "};",
  ].join("\n")}\n`;
}

function declaresShapes(source: string): boolean {
  return /^import Type\b/m.test(source);
}

/**
 * The public names: everything that the protocol files export but helpers of schemas, internals of
 * readers, the JSON-RPC surfaces (their names repeat between v1 and v2) and `@internal` exports.
 */
function indexFile(protocol: string): string {
  const lines = publicFiles(protocol).map((file) => {
    const source = readFileSync(join(protocol, file), "utf8");
    const names = file === "read/index.ts" ? reexports(source) : ownExports(source, file);
    return names.length === 0 ? "" : exportLine(names, `./${toModule(file)}`);
  });
  const unions = [ops, events].map(({ name, folder }) => {
    return exportLine([{ name, isType: false }], `./sqeq/${folder}.generated.js`);
  });
  return `// ${notice}\n${[...lines, ...unions].filter((line) => line !== "").join("\n")}\n`;
}

function publicFiles(protocol: string): string[] {
  const under = (path: string) => sourcesIn(join(protocol, path)).map((file) => join(path, file));
  return [
    ...under("").filter((file) => !["schema.ts", "types.ts"].includes(file)),
    ...under("items"),
    "read/index.ts",
    ...under("sqeq"),
    ...under("sqeq/events"),
    ...under("sqeq/ops"),
  ];
}

interface Exported {
  name: string;
  isType: boolean;
}

function ownExports(source: string, file: string): Exported[] {
  const isShape = /^(sqeq|items)\//.test(file);
  const found = new Map<string, boolean>();
  for (const [, doc = "", kind = "", name = ""] of source.matchAll(declaration)) {
    if (doc.includes("@internal") || (isShape && /^[a-z]/.test(name))) continue;
    const isType = kind === "interface" || kind === "type";
    found.set(name, (found.get(name) ?? true) && isType);
  }
  return [...found].map(([name, isType]) => ({ name, isType }));
}

const declaration =
  /(\/\*\*(?:(?!\*\/)[\s\S])*\*\/\n)?^export (?:async )?(const|function|class|interface|type) (\w+)/gm;

function reexports(source: string): Exported[] {
  return [...source.matchAll(/^export \{([^}]*)\}/gm)].flatMap(([, list = ""]) =>
    list
      .split(",")
      .map((name) => name.trim())
      .filter((name) => name !== "")
      .map((name) => ({ name: name.replace(/^type /, ""), isType: name.startsWith("type ") })),
  );
}

function exportLine(names: readonly Exported[], from: string): string {
  const list = [...names]
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .map(({ name, isType }) => (isType ? `type ${name}` : name));
  return `export { ${list.join(", ")} } from "${from}";`;
}

function importLine(names: readonly string[], from: string): string {
  return `import { ${names.join(", ")} } from "${from}";`;
}

/** Hand-written modules of a folder, by name; folders and generated files are left out. */
function sourcesIn(path: string): string[] {
  return readdirSync(path)
    .filter((file) => file.endsWith(".ts") && !/\.generated\.|^index\.ts$/.test(file))
    .sort();
}

function toModule(file: string): string {
  return file.replace(/\.ts$/, ".js");
}
