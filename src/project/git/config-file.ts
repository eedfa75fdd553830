import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { findRepository, readGitFile } from "./repository.js";

/** Which setting is looked for; `section` and `key` in small letters, as git compares them. */
interface SettingName {
  section: string;
  subsection: string;
  key: string;
}

/** The first value that a git config file gives a setting. */
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

/** Returns the names of all settings in a git config file, `section.key` in small letters. */
function settingNames(text: string): string[] {
  const names: string[] = [];
  let section = "";
  for (const line of text.replace(/\\\r?\n/g, "").split(/\r?\n/)) {
    const header = headerLine.exec(line);
    // The older form has the subsection behind a dot.
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

/** Quotes keep blanks and comment signs; what stands after an unquoted comment sign is none of it. */
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
 * Returns whether git, run in a folder, might start a program that the repository's own settings name.
 *
 * False only if all of its settings are known to be data. A repository within a repository, and a
 * folder that is itself a git directory, have settings of their own, so they count as naming some.
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

/** Git takes a folder for a git directory that has these, before it looks further up. */
function holdsGitDirectory(cwd: string, top: string | undefined): boolean {
  for (let folder = cwd; ; folder = dirname(folder)) {
    if (["HEAD", "objects", "refs"].every((name) => existsSync(join(folder, name)))) return true;
    if (folder === top || folder === dirname(folder)) return false;
  }
}

/** Settings that say how things are stored, what is tracked and who commits. */
const plainSettings =
  /^(?:core\.(?:repositoryformatversion|filemode|bare|logallrefupdates|symlinks|ignorecase|precomposeunicode|autocrlf|eol|safecrlf|trustctime|checkstat|longpaths|sparsecheckout|sparsecheckoutcone|quotepath|abbrev)|extensions\.(?:objectformat|refstorage)|remote\.(?:url|pushurl|fetch|push|tagopt|prune)|branch\.(?:remote|merge|rebase|description|pushremote)|user\.(?:name|email)|init\.defaultbranch|pull\.(?:rebase|ff)|push\.(?:default|autosetupremote)|color\.\w+)$/;
