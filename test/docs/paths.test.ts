import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";

const root = resolve(import.meta.dirname, "../..");
const pages = [
  ...["README.md", "CONTRIBUTING.md", "ARCHITECTURE.md"],
  ...readdirSync(join(root, "docs"))
    .filter((name) => name.endsWith(".md"))
    .map((name) => `docs/${name}`),
];

/** Top-level entries of the repository; a path in back-ticks that starts with one must exist. */
const tops = "src|test|scripts|docs|conformance|interop|bench|soak|examples|schema|bin";
const isPath = new RegExp(`^(?:${tops})/[\\w./*-]*$`);
/** Stands for a name that the reader chooses. */
const placeholder = /NAME|…|\*|<|>/;

/** Returns the back-ticked paths of a page, without code blocks. */
function pathsIn(text: string): string[] {
  const prose = text.replace(/^```[\s\S]*?^```/gm, "");
  return [...prose.matchAll(/`([^`\n]+)`/g)]
    .map(([, code = ""]) => code.replace(/:\d+$/, ""))
    .filter((code) => isPath.test(code) && !placeholder.test(code));
}

/** Returns the relative link targets of a page. */
function linksIn(text: string): string[] {
  return [...text.matchAll(/\]\((?!https?:|#|mailto:)([^)#\s]+)(?:#[^)]*)?\)/g)].map(
    ([, target = ""]) => target,
  );
}

test.each(pages)("every path in back-ticks in %s exists", (page) => {
  const paths = pathsIn(readFileSync(join(root, page), "utf8"));
  expect(paths.filter((path) => !existsSync(join(root, path)))).toEqual([]);
});

test.each(pages)("every relative link in %s leads to a file", (page) => {
  const links = linksIn(readFileSync(join(root, page), "utf8"));
  expect(links.filter((link) => !existsSync(resolve(root, page, "..", link)))).toEqual([]);
});

test("the check recognizes paths, and skips placeholders and code blocks", () => {
  const text = "`src/nope.ts`, `test/engine/NAME.test.ts`, `npm test`\n```\n`src/x.ts`\n```\n";
  expect(pathsIn(text)).toEqual(["src/nope.ts"]);
});
