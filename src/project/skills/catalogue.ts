import { isAbsolute } from "node:path";
import { loadSkills } from "./load.js";
import type { SkillSources } from "./roots.js";
import type { LoadedSkills } from "./types.js";

/** The skills of each folder, looked for once and then remembered. */
export class SkillCatalogue {
  readonly #sources: SkillSources;
  readonly #known = new Map<string, Promise<LoadedSkills>>();

  constructor(sources: SkillSources) {
    this.#sources = sources;
  }

  /** The skills for a folder; `forceReload` looks again. */
  forCwd(cwd: string, { forceReload = false } = {}): Promise<LoadedSkills> {
    const known = this.#known.get(cwd);
    if (known !== undefined && !forceReload) return known;
    const loading = isAbsolute(cwd)
      ? loadSkills({ ...this.#sources, cwd })
      : Promise.resolve({ skills: [], errors: [notAbsolute(cwd)] });
    this.#remember(cwd, loading);
    return loading;
  }

  /** Forgets what was found, such as when a skill was turned on or off. */
  clear(): void {
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
