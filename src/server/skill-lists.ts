import type { Config } from "../config/index.js";
import type { LocalParts } from "../engine/index.js";
import type { LoadedSkills, SkillCatalogue } from "../project/index.js";

/** The skills that clients are told of, remembered until they are asked for anew. */
export class SkillLists {
  #parts: LocalParts;
  #config: () => Promise<Config>;
  #catalogue: Promise<SkillCatalogue> | undefined;

  /** `config` gives the settings that turn skills off. */
  constructor(parts: LocalParts, config: () => Promise<Config>) {
    this.#parts = parts;
    this.#config = config;
  }

  /** The skills for work in a folder. */
  async forCwd(cwd: string): Promise<LoadedSkills> {
    this.#catalogue ??= this.#open();
    return (await this.#catalogue).forCwd(cwd);
  }

  /** Looks at disk and settings again when asked next. */
  clear(): void {
    this.#catalogue = undefined;
  }

  async #open(): Promise<SkillCatalogue> {
    try {
      return this.#parts.createSkills(await this.#config());
    } catch (error) {
      this.clear(); // whoever asks next tries again
      throw error;
    }
  }
}
