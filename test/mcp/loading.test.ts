import { resolve } from "node:path";
import { build } from "esbuild";
import { expect, test } from "vitest";

test("the SDK is loaded only when a server is started or logged in to", async () => {
  const { metafile } = await build({
    entryPoints: [resolve(import.meta.dirname, "../../src/mcp/index.ts")],
    bundle: true,
    splitting: true,
    write: false,
    metafile: true,
    outdir: "out",
    format: "esm",
    platform: "node",
    packages: "external",
    logLevel: "silent",
  });

  const entry = metafile.outputs["out/index.js"];
  const loaded = new Set(entry === undefined ? [] : ["out/index.js"]);
  for (const output of loaded) {
    for (const { kind, path } of metafile.outputs[output]?.imports ?? []) {
      if (kind === "import-statement") loaded.add(path);
    }
  }
  expect([...loaded].filter((path) => /modelcontextprotocol|node:https?$/.test(path))).toEqual([]);
  expect(loaded.size).toBeGreaterThan(1);
});
