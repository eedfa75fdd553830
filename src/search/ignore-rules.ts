import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { dirname, join, relative, sep } from "node:path";
import ignore, { type Ignore } from "ignore";
import { foldersSince } from "../lib/files.js";

/** The ignore rules of a folder, linked to those of its parents. */
export interface IgnoreRules {
  /** The folder that the rules are relative to. */
  folder: string;
  matcher: Ignore;
  above: IgnoreRules | undefined;
}

/** Rules at the root of a search. */
export interface RootRules {
  /** `.gitignore` applies in repositories only. */
  isRepository: boolean;
  rules: IgnoreRules | undefined;
}

/** Reads the rules of the parents of a folder, up to the root of its repository. */
export async function rulesAbove(root: string): Promise<RootRules> {
  const folders = foldersSince(root, hasGit)?.slice(0, -1);
  if (folders === undefined) return { isRepository: false, rules: undefined };
  let rules: IgnoreRules | undefined;
  for (const folder of folders) rules = await addRules(folder, rules, true);
  const isPassedOver = rules !== undefined && ignoredIn(dirname(root), rules)(nameOf(root), true);
  // A search inside an ignored folder should still find its files.
  return { isRepository: true, rules: isPassedOver ? undefined : rules };
}

/** Any `.git` counts, as for other tools that read `.gitignore`. */
function hasGit(folder: string): boolean {
  return existsSync(join(folder, ".git"));
}

/** Adds the rules of a folder to those of its parents. */
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

/** Returns a predicate for the names in a folder: the nearest rule that matches decides. */
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
    return text.length > longestRules || !pattern.test(text) ? "" : text;
  } catch {
    return ""; // missing or unreadable
  }
}

/** A line that is neither blank nor a comment. */
const pattern = /^(?!#).*\S/m;

/** Larger files are ignored: they are not lists of patterns. */
const longestRules = 1024 * 1024;
