import { resolve } from "node:path";
import { build } from "esbuild";
import { expect, test } from "vitest";
import { markPure } from "../../scripts/pure-schemas.mjs";

/** The size of a page that uses one name of the protocol and nothing else. */
async function sizeOf(name: string): Promise<number> {
  const door = resolve(import.meta.dirname, "../../dist/protocol.js");
  const { outputFiles } = await build({
    stdin: {
      contents: `export { ${name} } from ${JSON.stringify(door)};`,
      resolveDir: import.meta.dirname,
    },
    bundle: true,
    minify: true,
    format: "esm",
    write: false,
    logLevel: "error",
  });
  return outputFiles.reduce((bytes, { contents }) => bytes + contents.length, 0);
}

test.each([
  ["CodexError", 12_000],
  ["Duration", 12_000],
  ["ReviewDecision", 12_000],
  ["EventMsg", 110_000],
])("[embedding R4] a bundle with %s alone has at most %i bytes", async (name, limit) => {
  expect(await sizeOf(name)).toBeLessThan(limit);
});

test("[embedding R4] a schema is marked with all that is computed for it", () => {
  const source = [
    'import Type, { type Static } from "typebox";',
    "const call = { id: Type.String() };",
    "export const A = Type.Object(",
    "  { ...call },",
    '  { $id: "A" },',
    ");",
    "export interface A extends Static<typeof A> {}",
    "export const limit = 5;",
  ].join("\n");

  expect(markPure(source)).toBe(
    [
      'import * as Type from "typebox";',
      "const call = /* @__PURE__ */ (() => ({ id: Type.String() }))();",
      "export const A = /* @__PURE__ */ (() => (Type.Object(",
      "  { ...call },",
      '  { $id: "A" },',
      ")))();",
      "export interface A extends Static<typeof A> {}",
      "export const limit = 5;",
    ].join("\n"),
  );
});
