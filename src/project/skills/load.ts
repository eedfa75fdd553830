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
 * Finds the skills for a folder, ordered by whose they are and by name.
 *
 * Skills of one name may exist side by side, but no file twice. A file that is no skill is an error
 * in the list and keeps no other from being found.
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
        // What came with the program is not for the user to mend.
        if (root.scope !== "system") loaded.errors.push({ path, message: error.message });
      }
    }
  }
  loaded.skills.sort(bySkill);
  return loaded;
}

/**
 * Reads a skill that the user has chosen by its file, of a folder about which nothing is decided yet.
 *
 * Such a folder brings no skills of its own accord, but the user may take one of them. Of a folder
 * that the user distrusts, none is read.
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

/** Whether the user has turned a skill off, by its file or by its name. */
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

/** What is said of a skill stands at the head of its file; the rest is read when the skill is used. */
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

/** The skills of each folder, looked for once and then remembered. */
export class SkillCatalogue {
  readonly #sources: SkillSources;
  readonly #version: () => number;
  #knownVersion: number;
  readonly #known = new Map<string, Promise<LoadedSkills>>();

  /** What was found is forgotten when `version` says another number than before. */
  constructor(sources: SkillSources, version: () => number = () => 0) {
    this.#sources = sources;
    this.#version = version;
    this.#knownVersion = version();
  }

  /** Where skills for a folder are looked for, whether there is something or not. */
  rootsFor(cwd: string): SkillRoot[] {
    return possibleRoots(cwd, this.#sources);
  }

  /** The skills for a folder; `forceReload` looks again. */
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

  /** The skill of a file that the user has chosen, where the folder alone does not bring it. */
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
    loading.catch(() => this.#known.delete(cwd)); // the next one to ask tries again
    const [oldest] = this.#known.keys();
    if (this.#known.size > maxFolders && oldest !== undefined) this.#known.delete(oldest);
  }
}

const maxFolders = 100;

function notAbsolute(cwd: string) {
  return { path: cwd, message: `cwd must be an absolute path, but is ${cwd}` };
}
