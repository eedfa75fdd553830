import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname } from "node:path";

/** Writes the files that changed and prints their paths. With `--check` it prints them and fails. */
export async function writeOutputs(outputs: ReadonlyMap<string, string>): Promise<void> {
  const checkOnly = process.argv.includes("--check");
  const stale: string[] = [];
  for (const [path, content] of outputs) {
    const old = await readFile(path, "utf8").catch(() => undefined);
    if (old === content) continue;
    stale.push(path);
    if (checkOnly) continue;
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, content);
  }
  for (const path of stale) console.log(`${checkOnly ? "stale" : "wrote"} ${path}`);
  if (checkOnly && stale.length > 0) {
    console.error("Run `npm run generate` and commit the files it writes.");
    process.exitCode = 1;
  }
}
