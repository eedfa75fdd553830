import { isUtf8 } from "node:buffer";
import { readFileSync } from "node:fs";
import { CodexError } from "../../protocol/error.js";
import { checkSource } from "../check/report.js";
import { newTable, parseToml, type Table } from "../toml/table.js";

/** Values of a config file, and its ignored keys. */
export interface FileContent {
  values: Table;
  /** Keys without effect. */
  ignored: string[];
}

/** Reads and checks a config file; a missing file has no values. */
export async function readConfigFile(file: string): Promise<FileContent> {
  const text = readTextIfThere(file);
  if (text === undefined) return { values: newTable(), ignored: [] };
  const values = await parseToml(text, file);
  return { values, ignored: checkSource(values, { name: file, text }) };
}

/**
 * Returns the text of a file; undefined if it does not exist.
 *
 * Synchronous because it is faster for the few small files at the start of a session.
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
