// Writes what is generated from the schemas; with `--check` it only says what is stale.
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { generateAll } from "./outputs.js";

const checkOnly = process.argv.includes("--check");
const stale: string[] = [];
for (const [path, content] of await generateAll()) {
  const old = await readFile(path, "utf8").catch(() => undefined);
  if (old === content) continue;
  stale.push(path);
  if (checkOnly) continue;
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, content);
}
for (const path of stale) console.log(`${checkOnly ? "stale" : "wrote"} ${path}`);
if (checkOnly && stale.length > 0) {
  console.error("Run `npm run generate` and commit what it writes.");
  process.exitCode = 1;
}
