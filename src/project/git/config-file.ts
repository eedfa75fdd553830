import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { findRepository, readGitFile } from "./repository.js";

/** Name of a setting; `section` and `key` are lower case, as git compares them. */
interface SettingName {
  section: string;
  subsection: string;
  key: string;
}

/** Returns the first value of a setting in a git config file. */
export function findSetting(text: string, name: SettingName): string | undefined {
  let inSection = false;
  for (const line of text.replace(/\\\r?\n/g, "").split(/\r?\n/)) {
    const header = headerLine.exec(line);
    if (header) inSection = isSection(header, name);
    const assignment = header ? line.slice(header[0].length) : line;
    const parts = /^\s*([A-Za-z][\w-]*)\s*=(.*)$/.exec(assignment);
    if (!inSection || parts?.[1]?.toLowerCase() !== name.key) continue;
    return readValue(parts[2] ?? "");
  }
  return undefined;
}

const headerLine = /^\s*\[([^\]"]*)(?:"((?:[^"\\]|\\.)*)")?\s*\]/;

/** Returns the names of all settings in a git config file, as lower-case `section.key`. */
function settingNames(text: string): string[] {
  const names: string[] = [];
  let section = "";
  for (const line of text.replace(/\\\r?\n/g, "").split(/\r?\n/)) {
    const header = headerLine.exec(line);
    // The older format separates the subsection with a dot.
    if (header) section = (header[1] ?? "").trim().split(".")[0] ?? "";
    const rest = (header ? line.slice(header[0].length) : line).trim();
    if (rest === "" || /^[#;]/.test(rest)) continue;
    const key = /^[A-Za-z][\w-]*/.exec(rest)?.[0] ?? rest;
    names.push(`${section}.${key}`.toLowerCase());
  }
  return names;
}

function isSection(header: RegExpExecArray, { section, subsection }: SettingName): boolean {
  const [, name = "", quoted] = header;
  if (quoted === undefined) return name.trim().toLowerCase() === `${section}.${subsection}`;
  return name.trim().toLowerCase() === section && quoted.replace(/\\(.)/g, "$1") === subsection;
}

/** Quotes preserve blanks and comment characters; an unquoted comment is dropped. */
function readValue(raw: string): string {
  let value = "";
  let kept = 0;
  let quoted = false;
  for (const [part] of raw.trim().matchAll(/\\.|[\s\S]/g)) {
    if (part === '"') quoted = !quoted;
    else if (!quoted && (part === "#" || part === ";")) break;
    else value += part.length > 1 ? (escapes[part[1] ?? ""] ?? part[1]) : part;
    if (quoted || !/^\s$/.test(part)) kept = value.length;
  }
  return value.slice(0, kept);
}

const escapes: Record<string, string> = { n: "\n", t: "\t", b: "\b" };

/**
 * Returns true if git, run in a folder, might start a program named by the repository's settings.
 *
 * False only if all settings are known to be data. Nested repositories, and folders that are git
 * directories, have separate settings, so they count as unsafe.
 */
export function namesPrograms(cwd: string): boolean {
  const repository = findRepository(cwd);
  if (repository === undefined) return holdsGitDirectory(cwd, undefined);
  const { workTree, gitDir, commonDir } = repository;
  if (holdsGitDirectory(cwd, workTree)) return true;
  if (existsSync(join(workTree, ".gitmodules")) || existsSync(join(commonDir, "modules")))
    return true;
  if (existsSync(join(gitDir, "config.worktree"))) return true;
  const config = readGitFile(join(commonDir, "config"));
  return config === undefined || !settingNames(config).every((name) => plainSettings.test(name));
}

/** Git treats a folder with these entries as a git directory before it searches upwards. */
function holdsGitDirectory(cwd: string, top: string | undefined): boolean {
  for (let folder = cwd; ; folder = dirname(folder)) {
    if (["HEAD", "objects", "refs"].every((name) => existsSync(join(folder, name)))) return true;
    if (folder === top || folder === dirname(folder)) return false;
  }
}

/** Settings about storage, tracking and identity. */
const plainSettings =
  /^(?:core\.(?:repositoryformatversion|filemode|bare|logallrefupdates|symlinks|ignorecase|precomposeunicode|autocrlf|eol|safecrlf|trustctime|checkstat|longpaths|sparsecheckout|sparsecheckoutcone|quotepath|abbrev)|extensions\.(?:objectformat|refstorage)|remote\.(?:url|pushurl|fetch|push|tagopt|prune)|branch\.(?:remote|merge|rebase|description|pushremote)|user\.(?:name|email)|init\.defaultbranch|pull\.(?:rebase|ff)|push\.(?:default|autosetupremote)|color\.\w+)$/;
