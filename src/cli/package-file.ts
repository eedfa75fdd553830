import { realpathSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";

/** Reads a file that comes with the program, by its path in the package; `program` is its first file. */
export function readPackageFile(path: string, program = process.argv[1] ?? ""): Promise<string> {
  return readFile(join(dirname(realpathSync(program)), "..", path), "utf8");
}
