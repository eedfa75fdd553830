import { existsSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { CodexError } from "../protocol/error.js";

/** Root of the files that the single-file executable contains; see docs/packaging.md. */
const embeddedRoot = "/$bunfs/root";

/** Returns the root of the package, given the first file of the program: a directory, or inside the executable. */
export function packageRoot(program = process.argv[1] ?? ""): string {
  if (program.startsWith(embeddedRoot)) return embeddedRoot;
  return join(dirname(realpathSync(program)), "..");
}

/** Returns a directory of `dist`, beside the program or in the checkout, that contains a file. */
export function builtFolder(name: string, file: string): string {
  // A path in the built program, a URL otherwise.
  const here = import.meta.url.startsWith("file:")
    ? fileURLToPath(import.meta.url)
    : import.meta.url;
  if (process.argv[1]?.startsWith(embeddedRoot)) return join(embeddedRoot, "dist", name);
  for (let folder = dirname(here); folder !== dirname(folder); folder = dirname(folder)) {
    const found = join(folder, "dist", name);
    if (existsSync(join(found, file))) return found;
  }
  throw new CodexError("io", `There is no dist/${name} beside ${here}: run \`npm run build\``);
}
