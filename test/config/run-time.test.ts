import { build } from "esbuild";
import { expect, test } from "vitest";

test("settings are read without a schema library, and without TOML when there is no file", async () => {
  const { metafile } = await build({
    entryPoints: ["src/config/load.ts"],
    bundle: true,
    splitting: true,
    write: false,
    metafile: true,
    format: "esm",
    platform: "node",
    outdir: "out",
  });

  const libraries = (files: object) =>
    [...new Set(Object.keys(files).map((path) => /node_modules\/([^/]+)/.exec(path)?.[1]))].filter(
      (name) => name !== undefined,
    );
  const entry = Object.values(metafile.outputs).find(({ entryPoint }) =>
    entryPoint?.endsWith("load.ts"),
  );
  expect(libraries(metafile.inputs)).toEqual(["smol-toml"]);
  expect(libraries(entry?.inputs ?? {})).toEqual([]);
});
