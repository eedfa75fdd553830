import { readFile } from "node:fs/promises";
import { build } from "esbuild";
import { expect, test } from "vitest";
import { generateApiDocs } from "../../scripts/generate/api/api-docs.js";
import { generateLists } from "../../scripts/generate/lists.js";
import { generateAll } from "../../scripts/generate/outputs.js";
import { generateProgramDocs } from "../../scripts/generate/program-docs.js";

test.each([
  ["the lists", generateLists],
  ["the schemas and checks", generateAll],
  ["the docs of the program", generateProgramDocs],
  ["the reference of the library", generateApiDocs],
])("%s are up to date (else: npm run generate)", async (_, generate) => {
  const outputs = await generate();

  for (const [path, content] of outputs) {
    const committed = await readFile(path, "utf8").catch(() => "");
    expect(committed === content, `${path} is stale`).toBe(true);
  }
});

test("the checks need no library", async () => {
  for (const name of ["sqeq", "items", "rollout", "events"]) {
    const code = await readFile(`src/protocol/checks/${name}.generated.js`, "utf8");
    expect(code).not.toMatch(/\brequire\(|\bimport\b/);
  }
});

test("the generator imports declarations only, and no generated code but its own lists", async () => {
  const { metafile } = await build({
    entryPoints: ["scripts/generate/main.ts"],
    bundle: true,
    write: false,
    metafile: true,
    platform: "node",
    format: "esm",
    packages: "external",
  });
  const inputs = Object.keys(metafile.inputs).filter((path) => path.startsWith("src/"));
  const lists = generateLists();

  const foreign = inputs.filter(
    (path) => !/^src\/(protocol|config\/(schema|project\/trust-gate\.ts))/.test(path),
  );
  const generated = inputs.filter((path) => path.includes(".generated.") && !lists.has(path));

  expect({ foreign, generated }).toEqual({ foreign: [], generated: [] });
});
