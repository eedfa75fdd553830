// Copies the descriptions of the schemas to the declarations, where editors show them.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";

/** Documents the schemas declared below `folder`; `modules` are the exports of its files, by their paths without ending. */
export function documentTypes(folder, modules) {
  for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true })) {
    if (!entry.isFile() || !entry.name.endsWith(".d.ts")) continue;
    const file = join(entry.parentPath ?? entry.path, entry.name);
    const schemas = modules.get(relative(folder, file).slice(0, -".d.ts".length)) ?? {};
    const text = readFileSync(file, "utf8");
    const documented = withFields(withComments(text, schemas), schemas);
    if (documented !== text) writeFileSync(file, documented);
  }
}

/**
 * Returns the declarations with the fields of each schema's type, for editors show no description of a schema's property.
 *
 * A field refers to the type of the schema, so that nothing is declared twice.
 */
export function withFields(text, schemas) {
  return text.replaceAll(
    /^export interface (\w+) extends Static<typeof \1> \{\n\}/gm,
    (whole, name) => {
      const { properties = {}, required = [] } = schemas[name] ?? {};
      const fields = Object.entries(properties).flatMap(([field, { description }]) => {
        if (typeof description !== "string" || !/^\w+$/.test(field)) return [];
        const isRequired = required.includes(field);
        const type = isRequired ? `Static<typeof ${name}>` : `Required<Static<typeof ${name}>>`;
        const comment = `/** ${description.replaceAll("*/", "*\\/")} */`;
        return [`    ${comment}`, `    ${field}${isRequired ? "" : "?"}: ${type}["${field}"];`];
      });
      if (fields.length === 0) return whole;
      return `${whole.slice(0, -1)}${fields.join("\n")}\n}`;
    },
  );
}

/** Returns the declarations with a comment before each schema that has none. */
export function withComments(text, schemas) {
  return text.replaceAll(
    /(?<!\*\/\n)^(export declare const (\w+): )/gm,
    (whole, declaration, name) => {
      const description = schemas[name]?.description;
      if (typeof description !== "string") return whole;
      return `/** ${description.replaceAll("*/", "*\\/")} */\n${declaration}`;
    },
  );
}
