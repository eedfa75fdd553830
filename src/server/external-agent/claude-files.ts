import { readdirSync } from "node:fs";
import { join } from "node:path";
import { readFileHead } from "../../lib/files.js";
import { isRecord } from "../../protocol/read/check.js";
import { isInside } from "./plan.js";

/** Larger files are not settings. */
const mostBytes = 1024 * 1024;

/** Returns the text of a regular file; undefined if there is none, or if it is a link out of `root`. */
export function readTextFile(path: string, root: string): string | undefined {
  if (!isInside(path, root)) return undefined;
  const head = readFileHead(path, mostBytes);
  if (head.problem !== undefined || !head.whole) return undefined;
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(head.bytes);
  } catch {
    return undefined;
  }
}

/** Returns the object in a JSON file; undefined if the file is missing or holds something else. */
export function readJsonObject(
  path: string,
  root: string,
): Readonly<Record<string, unknown>> | undefined {
  const text = readTextFile(path, root);
  if (text === undefined) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** A Markdown file with its front matter. */
export interface MarkdownFile {
  path: string;
  /** Name of the file without its extension. */
  name: string;
  text: string;
  /** Text after the front matter. */
  body: string;
  /** Fields of the front matter that have one line. */
  fields: ReadonlyMap<string, string>;
}

/** Reads the Markdown files of a folder and its folders, sorted by path. */
export function readMarkdownFiles(folder: string, root: string, depth = 3): MarkdownFile[] {
  const files: MarkdownFile[] = [];
  for (const entry of entriesOf(folder)) {
    const path = join(folder, entry.name);
    if (entry.isDirectory() && depth > 0) files.push(...readMarkdownFiles(path, root, depth - 1));
    const name = /^(.+)\.md$/i.exec(entry.name)?.[1];
    const text = name === undefined || entry.isDirectory() ? undefined : readTextFile(path, root);
    if (name !== undefined && text !== undefined) files.push({ path, name, text, ...split(text) });
  }
  return files;
}

/** Returns the entries of a folder by name; none if it cannot be read. */
export function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch {
    return [];
  }
}

/** Splits front matter and body. Values are not parsed as YAML, as users rarely quote them. */
function split(text: string): Pick<MarkdownFile, "body" | "fields"> {
  const lines = text.replace(/\r\n?/g, "\n").split("\n");
  const end = lines.findIndex((line, index) => index > 0 && line.trim() === "---");
  const fields = new Map<string, string>();
  if (lines[0]?.trim() !== "---" || end < 0) return { body: text, fields };
  for (const line of lines.slice(1, end)) {
    const [, key = "", value = ""] = /^([\w-]+)\s*:\s*(.*)$/.exec(line) ?? [];
    if (key !== "") fields.set(key.toLowerCase(), value.trim().replace(/^(["'])(.*)\1$/, "$2"));
  }
  return {
    body: lines
      .slice(end + 1)
      .join("\n")
      .trimStart(),
    fields,
  };
}
