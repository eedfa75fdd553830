import { realpath } from "node:fs/promises";
import { isAbsolute } from "node:path";
import { readFileHead } from "../../lib/files.js";
import type { SkillScope } from "../../protocol/types.js";
import { parseSkillHead, SkillFileError } from "./front-matter.js";
import { type LoadedSkills, readSkillExtras, type Skill } from "./interface-file.js";
import {
  findSkillFiles,
  possibleRoots,
  type SkillRoot,
  type SkillSources,
  skillRoots,
} from "./roots.js";

/**
 * Loads the skills for a folder, sorted by scope and name.
 *
 * Several skills may have the same name, but no file is loaded twice. An invalid file is reported
 * in `errors` and does not affect the others.
 */
export async function loadSkills(options: SkillSources & { cwd: string }): Promise<LoadedSkills> {
  const isOff = await switchedOff(options);
  const loaded: LoadedSkills = { skills: [], errors: [] };
  const seen = new Set<string>();
  for (const root of await skillRoots(options.cwd, options)) {
    if (root.refusal !== undefined) {
      const { reason } = root.refusal;
      if (reason !== undefined)
        loaded.errors.push({ path: root.path, message: `not read: ${reason}` });
      continue;
    }
    for await (const path of findSkillFiles(root)) {
      if (seen.has(path)) continue;
      seen.add(path);
      try {
        const skill = readSkill(path, root.scope);
        loaded.skills.push({ ...skill, enabled: !isOff(skill) });
      } catch (error) {
        if (!(error instanceof SkillFileError)) throw error;
        // Users cannot fix skills that come with the program.
        if (root.scope !== "system") loaded.errors.push({ path, message: error.message });
      }
    }
  }
  loaded.skills.sort(bySkill);
  return loaded;
}

/**
 * Reads a skill that the user selected by path, in a folder that is not trusted yet.
 *
 * Such a folder offers no skills automatically, but the user may select one. Explicitly untrusted
 * folders are never read.
 */
async function readChosenSkill(
  path: string,
  options: SkillSources & { cwd: string },
): Promise<Skill | undefined> {
  for (const root of await skillRoots(options.cwd, options)) {
    if (root.refusal?.reason === undefined) continue;
    for await (const found of findSkillFiles(root)) {
      if (found !== path) continue;
      try {
        const skill = readSkill(path, root.scope);
        return { ...skill, enabled: !(await switchedOff(options))(skill) };
      } catch (error) {
        if (!(error instanceof SkillFileError)) throw error;
        return undefined;
      }
    }
  }
  return undefined;
}

/** Returns a predicate for skills that the user has disabled, by path or by name. */
async function switchedOff({
  disabledPaths = [],
  disabledNames = [],
}: SkillSources): Promise<(skill: { path: string; name: string }) => boolean> {
  const disabled = await realPaths(disabledPaths);
  return ({ path, name }) => disabled.has(path) || disabledNames.includes(name);
}

function readSkill(path: string, scope: SkillScope): Omit<Skill, "enabled"> {
  const head = readFileHead(path, maxHeadBytes);
  if (head.problem !== undefined) throw new SkillFileError(`failed to read file: ${head.problem}`);
  const { name, description, ...rest } = parseSkillHead(head.bytes.toString());
  return { name, description, ...rest, path, scope, ...readSkillExtras(path) };
}

/** The front matter is at the start of the file; the rest is read when the skill is used. */
const maxHeadBytes = 128 * 1024;

async function realPaths(paths: readonly string[]): Promise<Set<string>> {
  return new Set(await Promise.all(paths.map((path) => realpath(path).catch(() => path))));
}

const scopeOrder: readonly SkillScope[] = ["repo", "user", "system", "admin"];

function bySkill(a: Skill, b: Skill): number {
  return (
    scopeOrder.indexOf(a.scope) - scopeOrder.indexOf(b.scope) ||
    compareText(a.name, b.name) ||
    compareText(a.path, b.path)
  );
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}

/** Caches the skills of each folder. */
export class SkillCatalogue {
  readonly #sources: SkillSources;
  readonly #version: () => number;
  #knownVersion: number;
  readonly #known = new Map<string, Promise<LoadedSkills>>();

  /** The cache is cleared when the result of `version` changes. */
  constructor(sources: SkillSources, version: () => number = () => 0) {
    this.#sources = sources;
    this.#version = version;
    this.#knownVersion = version();
  }

  /** Returns the folders to search for skills, existing or not. */
  rootsFor(cwd: string): SkillRoot[] {
    return possibleRoots(cwd, this.#sources);
  }

  /** Returns the skills for a folder; `forceReload` bypasses the cache. */
  forCwd(cwd: string, { forceReload = false } = {}): Promise<LoadedSkills> {
    this.#forgetOld();
    const known = this.#known.get(cwd);
    if (known !== undefined && !forceReload) return known;
    const loading = isAbsolute(cwd)
      ? loadSkills({ ...this.#sources, cwd })
      : Promise.resolve({ skills: [], errors: [notAbsolute(cwd)] });
    this.#remember(cwd, loading);
    return loading;
  }

  /**
   * Returns a skill that the user selected by path, if the folder does not offer it automatically.
   */
  chosen(cwd: string, path: string): Promise<Skill | undefined> {
    return readChosenSkill(path, { ...this.#sources, cwd });
  }

  #forgetOld(): void {
    const version = this.#version();
    if (version === this.#knownVersion) return;
    this.#knownVersion = version;
    this.#known.clear();
  }

  #remember(cwd: string, loading: Promise<LoadedSkills>): void {
    this.#known.delete(cwd);
    this.#known.set(cwd, loading);
    loading.catch(() => this.#known.delete(cwd)); // the next call retries
    const [oldest] = this.#known.keys();
    if (this.#known.size > maxFolders && oldest !== undefined) this.#known.delete(oldest);
  }
}

const maxFolders = 100;

function notAbsolute(cwd: string) {
  return { path: cwd, message: `cwd must be an absolute path, but is ${cwd}` };
}
