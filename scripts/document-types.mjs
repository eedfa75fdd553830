// Copies the descriptions of the schemas to the declarations, where editors show them.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Documents the schemas declared below `folder`; `schemas` are the exports of the protocol. */
export function documentTypes(folder, schemas) {
  for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true })) {
    if (!entry.isFile() || !entry.name.endsWith(".d.ts")) continue;
    const file = join(entry.parentPath ?? entry.path, entry.name);
    const text = readFileSync(file, "utf8");
    const documented = withComments(text, schemas);
    if (documented !== text) writeFileSync(file, documented);
  }
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
