import { isAbsolute } from "node:path";
import { loadSkills, readChosenSkill } from "./load.js";
import { possibleRoots, type SkillRoot, type SkillSources } from "./roots.js";
import type { LoadedSkills, Skill } from "./types.js";

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
