import { isUtf8 } from "node:buffer";
import { readFileSync } from "node:fs";
import { CodexError } from "../../protocol/error.js";
import { checkSource } from "../check/report.js";
import { newTable, parseToml, type Table } from "../toml/table.js";

/** What a file of settings says, and what is to be told about it. */
export interface FileContent {
  values: Table;
  /** Keys that mean nothing here. */
  ignored: string[];
}

/** Reads and checks a file of settings; one that does not exist says nothing. */
export async function readConfigFile(file: string): Promise<FileContent> {
  const text = readTextIfThere(file);
  if (text === undefined) return { values: newTable(), ignored: [] };
  const values = await parseToml(text, file);
  return { values, ignored: checkSource(values, { name: file, text }) };
}

/**
 * The text of a file; nothing when there is no such file.
 *
 * Synchronous on purpose: a session begins with it, and these files are small and near.
 */
export function readTextIfThere(file: string): string | undefined {
  try {
    const bytes = readFileSync(file);
    if (isUtf8(bytes)) return bytes.toString("utf8");
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR") return undefined;
    throw cannotRead(file, reasonOf(error), error);
  }
  throw cannotRead(file, "it is not UTF-8 text");
}

function cannotRead(file: string, reason: string, cause?: unknown): CodexError {
  const data = { reason: "read", file };
  return new CodexError("config", `Cannot read ${file}: ${reason}`, { data, cause });
}

function reasonOf(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === "EACCES" || code === "EPERM") return "you may not read it";
  return code === "EISDIR" ? "it is a folder" : message;
}
