import { mkdir, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { fuzzyMatch } from "../../src/lib/fuzzy-match.js";
import { byScore, FileSearch, fileNameOf } from "../../src/search/index.js";
import { CannotRun, type SuiteAdapter, type SuiteCase } from "../suite.js";
import { inFolder } from "./case-files.js";
import { differs } from "./differs.js";

/** Finding something by a few of its letters: in short lists, and among files. */
export const suite: SuiteAdapter = {
  name: "fuzzy_search",
  async run(testCase, { dir }) {
    const searchCase = testCase as SearchCase;
    switch (testCase.kind) {
      case "fuzzy_match":
        return differs(fuzzyMatch(searchCase.haystack, searchCase.needle) ?? null, testCase.expect);
      case "sort_matches":
        return differs(sorted(searchCase.matches), testCase.expect);
      case "file_name_from_path":
        return differs(fileNameOf(searchCase.path), testCase.expect);
      case "file_search":
        return searchFiles(searchCase, dir);
      default:
        throw new CannotRun(`unknown kind ${testCase.kind}`);
    }
  },
};

interface SearchCase extends SuiteCase {
  haystack: string;
  needle: string;
  matches: [number, string][];
  path: string;
  files?: string[];
  files_generated?: { pattern: string; count: number };
  query: string;
  limit?: number;
  expect_contains?: string[];
}

function sorted(matches: readonly [number, string][]): [number, string][] {
  return matches
    .map(([score, path]) => ({ score, path }))
    .sort(byScore)
    .map(({ score, path }) => [score, path]);
}

async function searchFiles(searchCase: SearchCase, dir: string): Promise<string | undefined> {
  const { query, limit = 50, expect, expect_contains = [] } = searchCase;
  for (const file of filesOf(searchCase)) {
    const path = inFolder(dir, file);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, "");
  }
  const search = new FileSearch({ roots: [dir], folders: false, limit, smartCase: true });
  await search.walked;
  const found = search.find(query).map(({ path }) => path);
  if (found.length > limit) return `${found.length} files, more than ${limit}`;
  const missing = expect_contains.find((path) => !found.includes(path));
  if (missing !== undefined) return `${missing} is missing in ${JSON.stringify(found)}`;
  return expect === undefined ? undefined : differs(found, expect);
}

function filesOf({ files = [], files_generated }: SearchCase): string[] {
  if (files_generated === undefined) return files;
  const { pattern, count } = files_generated;
  return Array.from({ length: count }, (_, index) =>
    pattern.replace(/%0(\d)d/, (__, width: string) => String(index).padStart(Number(width), "0")),
  );
}
