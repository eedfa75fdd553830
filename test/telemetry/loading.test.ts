import { resolve } from "node:path";
import { build } from "esbuild";
import { expect, test } from "vitest";

test("telemetry is loaded only when something is exported", async () => {
  const { metafile } = await build({
    entryPoints: [resolve(import.meta.dirname, "../../src/server/index.ts")],
    bundle: true,
    splitting: true,
    write: false,
    metafile: true,
    outdir: "out",
    format: "esm",
    platform: "node",
    packages: "external",
    loader: { ".md": "text", ".lark": "text" },
    logLevel: "silent",
  });

  const loaded = new Set(["out/index.js"]);
  for (const output of loaded) {
    for (const { kind, path } of metafile.outputs[output]?.imports ?? []) {
      if (kind === "import-statement") loaded.add(path);
    }
  }
  const inputs = [...loaded].flatMap((path) => Object.keys(metafile.outputs[path]?.inputs ?? {}));
  expect(inputs.length).toBeGreaterThan(100);
  expect(
    [...loaded, ...inputs].filter((path) => /opentelemetry|src\/telemetry/.test(path)),
  ).toEqual([]);
});
