import { statSync } from "node:fs";
import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { errorCode } from "../../lib/error-code.js";
import { errorText } from "../../lib/error-text.js";
import { CodexError } from "../../protocol/error.js";
import type { RulesFile } from "./parse-rules.js";

/** The `*.rules` files directly in a directory, sorted by name. */
export async function readRulesFiles(directory: string): Promise<RulesFile[]> {
  const files: RulesFile[] = [];
  for (const name of await rulesFileNames(directory)) {
    const path = join(directory, name);
    files.push({ name: path, text: await readText(path) });
  }
  return files;
}

async function rulesFileNames(directory: string): Promise<string[]> {
  try {
    // Most have none, and each command asks: a look costs less than the error for what is missing.
    if (statSync(directory, { throwIfNoEntry: false }) === undefined) return [];
    const entries = await readdir(directory, { withFileTypes: true });
    return entries
      .filter((entry) => !entry.isDirectory() && entry.name.endsWith(".rules"))
      .map((entry) => entry.name)
      .sort();
  } catch (error) {
    if (errorCode(error) === "ENOENT") return [];
    throw new CodexError(
      "io",
      `failed to read rules files from ${directory}: ${errorText(error)}`,
      {
        cause: error,
      },
    );
  }
}

const largest = 1024 * 1024;

async function readText(path: string): Promise<string> {
  try {
    const info = await stat(path);
    if (!info.isFile()) throw new Error("it is not a file");
    if (info.size > largest) throw new Error(`it is larger than ${largest} bytes`);
    return new TextDecoder("utf-8", { fatal: true }).decode(await readFile(path));
  } catch (error) {
    throw new CodexError("io", `failed to read rules file ${path}: ${errorText(error)}`, {
      cause: error,
    });
  }
}
