import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { generateAll } from "../../scripts/generate/outputs.js";

test("what is generated from the schemas is up to date (else: npm run generate)", async () => {
  const outputs = await generateAll();

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
