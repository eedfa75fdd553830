import { CodexError } from "../../protocol/error.js";
import type { Table } from "./table.js";

/** Reads TOML; `source` is the file as the user is to be told of it. */
export async function parseToml(text: string, source: string): Promise<Table> {
  const parse = await loadParser();
  try {
    return parse(text);
  } catch (error) {
    throw toConfigError(error, source);
  }
}

/** A function that reads TOML and throws the library's own error. */
export async function loadParser(): Promise<(text: string) => Table> {
  const { parse } = await import("smol-toml");
  return (text) => parse(text, { integersAsBigInt: "asNeeded" }) as Table;
}

function toConfigError(error: unknown, source: string): CodexError {
  const { line, column, message } = error as { line?: number; column?: number; message?: string };
  // The library's first line says what is wrong; then it shows the place, which we name.
  const reason = (message ?? String(error)).split("\n")[0]?.replace(/^Invalid TOML document: /, "");
  const place = line === undefined ? source : `${source}:${line}:${column}`;
  return new CodexError("config", `${place}: ${reason}`, {
    data: { reason: "parse", file: source, line, column, problem: reason },
    cause: error,
  });
}
