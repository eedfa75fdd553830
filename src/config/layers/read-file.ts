import { readFile } from "node:fs/promises";
import { CodexError } from "../../protocol/error.js";
import { checkSource } from "../check/report.js";
import { parseToml } from "../toml/parse.js";
import { newTable, type Table } from "../toml/table.js";

/** What a file of settings says, and what is to be told about it. */
export interface FileContent {
  values: Table;
  warnings: string[];
}

/** Reads and checks a file of settings; one that does not exist says nothing. */
export async function readConfigFile(file: string): Promise<FileContent> {
  const text = await readTextIfThere(file);
  if (text === undefined) return { values: newTable(), warnings: [] };
  const values = await parseToml(text, file);
  return { values, warnings: checkSource(values, { name: file, text }) };
}

/** The text of a file; nothing when there is no such file. */
export async function readTextIfThere(file: string): Promise<string | undefined> {
  try {
    const bytes = await readFile(file);
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR") return undefined;
    throw new CodexError("config", `Cannot read ${file}: ${reasonOf(error)}`, {
      data: { reason: "read", file },
      cause: error,
    });
  }
}

function reasonOf(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === "EACCES" || code === "EPERM") return "you may not read it";
  if (code === "EISDIR") return "it is a folder";
  return code === "ERR_ENCODING_INVALID_ENCODED_DATA" ? "it is not UTF-8 text" : message;
}
