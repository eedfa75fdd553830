import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";

const root = resolve(import.meta.dirname, "../..");

/** A block of code in a page. */
export interface DocBlock {
  page: string;
  /** Line of its first line. */
  line: number;
  /** What follows the opening marks, such as `sh`. */
  info: string;
  code: string;
}

/** Pages for people: those in docs/, and the Markdown files that other folders start with. */
export function docPages(): string[] {
  const inDocs = readdirSync(join(root, "docs"), { recursive: true, encoding: "utf8" });
  const others = ["README", "ARCHITECTURE", "CONTRIBUTING", "SECURITY"].map((name) => `${name}.md`);
  const folders = ["conformance", "examples", "packages/conformance"];
  return [
    ...others,
    ...folders.map((folder) => `${folder}/README.md`),
    ...inDocs.filter((name) => name.endsWith(".md")).map((name) => `docs/${name}`),
  ].sort();
}

/** Returns the blocks of a page, without their indentation. */
export function blocksOf(page: string): DocBlock[] {
  const text = readFileSync(join(root, page), "utf8");
  return [...text.matchAll(/^( *)```([^\n]*)\n([\s\S]*?)^ *```$/gm)].map((match) => {
    const [, indent = "", info = "", code = ""] = match;
    return {
      page,
      line: text.slice(0, match.index).split("\n").length + 1,
      info: info.trim(),
      code: code.replaceAll(new RegExp(`^${indent}`, "gm"), ""),
    };
  });
}
