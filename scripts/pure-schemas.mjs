import { readFile } from "node:fs/promises";

/**
 * Lets bundlers drop unused schemas.
 *
 * A call at the top level counts as a side effect, so without a mark one import of the protocol
 * would include all schemas. The marks are added here because they would clutter every other line
 * of the source.
 */
export const pureSchemas = {
  name: "pure-schemas",
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]src[\\/]protocol[\\/].*\.ts$/ }, async ({ path }) => ({
      contents: markPure(await readFile(path, "utf8")),
      loader: "ts",
    }));
  },
};

/**
 * Marks the calls that create a schema as pure, and imports typebox functions by name, so that only
 * those in use are bundled.
 */
export function markPure(source) {
  return source
    .replace(/^import Type(, \{[^}]*\})? from "typebox";$/m, 'import * as Type from "typebox";')
    .replaceAll(schemaConstant, "$1/* @__PURE__ */ (() => ($2))();");
}

/** A top-level constant with a computed value; its lines are indented or close it. */
const schemaConstant =
  /^((?:export )?const \w+ = )((?:Type\.|described\(|Nullable\(|Nullish\(|taggedUnion\(|reference\(|readFrom\(|since\(|until\(|onRequest\(|experimental\(|\{)[^\n]*(?:\n(?:[ \t][^\n]*|[)\]}][^\n]*))*);$/gm;
