import { readFile } from "node:fs/promises";

/**
 * Lets bundlers leave out schemas that nobody uses.
 *
 * A call at the top of a module counts as a side effect, so without a mark one name of the protocol
 * brings all of them. The schemas are written without it: it would stand on every other line.
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
 * Marks what makes a schema as pure, with all that is computed for it, and imports the functions of
 * typebox by name, so that only those in use stay.
 */
export function markPure(source) {
  return source
    .replace(/^import Type(, \{[^}]*\})? from "typebox";$/m, 'import * as Type from "typebox";')
    .replaceAll(schemaConstant, "$1/* @__PURE__ */ (() => ($2))();");
}

/** A constant at the top of a module whose value is computed; its lines are indented or close it. */
const schemaConstant =
  /^((?:export )?const \w+ = )((?:Type\.|described\(|Nullable\(|Nullish\(|taggedUnion\(|reference\(|readFrom\(|\{)[^\n]*(?:\n(?:[ \t][^\n]*|[)\]}][^\n]*))*);$/gm;
