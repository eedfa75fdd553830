import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { dirname, join, relative, sep } from "node:path";
import ignore, { type Ignore } from "ignore";
import { foldersSince } from "../lib/folders-up.js";

/** What the files of a folder say is to be passed over, and behind it what those above say. */
export interface IgnoreRules {
  /** Where these rules stand. */
  folder: string;
  matcher: Ignore;
  above: IgnoreRules | undefined;
}

/** What holds at the root of a search. */
export interface RootRules {
  /** `.gitignore` counts in repositories only. */
  isRepository: boolean;
  rules: IgnoreRules | undefined;
}

/** The rules that hold at a folder because of those above it, up to the top of its repository. */
export async function rulesAbove(root: string): Promise<RootRules> {
  const folders = foldersSince(root, hasGit)?.slice(0, -1);
  if (folders === undefined) return { isRepository: false, rules: undefined };
  let rules: IgnoreRules | undefined;
  for (const folder of folders) rules = await addRules(folder, rules, true);
  const isPassedOver = rules !== undefined && ignoredIn(dirname(root), rules)(nameOf(root), true);
  // Whoever searches in a folder that is passed over from above wants to see it.
  return { isRepository: true, rules: isPassedOver ? undefined : rules };
}

/** Any `.git` will do here, as for other programs that heed `.gitignore`. */
function hasGit(folder: string): boolean {
  return existsSync(join(folder, ".git"));
}

/** The rules that hold in a folder, given those above it. */
export async function addRules(
  folder: string,
  above: IgnoreRules | undefined,
  isRepository: boolean,
): Promise<IgnoreRules | undefined> {
  const texts = await Promise.all(
    (isRepository ? gitFiles : plainFiles).map((name) => readIfThere(join(folder, name))),
  );
  if (texts.every((text) => text === "")) return above;
  const matcher = ignore();
  for (const text of texts) matcher.add(text);
  return { folder, matcher, above };
}

const plainFiles = [".ignore"];
const gitFiles = [join(".git", "info", "exclude"), ".gitignore", ".ignore"];

/** Says of each name in a folder whether it is passed over: the nearest rules that know it decide. */
export function ignoredIn(
  folder: string,
  rules: IgnoreRules | undefined,
): (name: string, isFolder: boolean) => boolean {
  const links: { matcher: Ignore; prefix: string }[] = [];
  for (let one = rules; one !== undefined; one = one.above) {
    const way = relative(one.folder, folder).replaceAll(sep, "/");
    links.push({ matcher: one.matcher, prefix: way === "" ? "" : `${way}/` });
  }
  return (name, isFolder) => {
    for (const { matcher, prefix } of links) {
      const { ignored, unignored } = matcher.test(`${prefix}${name}${isFolder ? "/" : ""}`);
      if (ignored || unignored) return ignored;
    }
    return false;
  };
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf(sep) + 1);
}

async function readIfThere(file: string): Promise<string> {
  try {
    const text = await readFile(file, "utf8");
    return text.length > longestRules ? "" : text;
  } catch {
    return ""; // not there, or not for us to read
  }
}

/** More than any list of patterns that people write. */
const longestRules = 1024 * 1024;
