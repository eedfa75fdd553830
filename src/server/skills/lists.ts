import type { Config } from "../../config/index.js";
import type { LoadedSkills, SkillCatalogue, SkillRoot } from "../../project/index.js";
import type { Host } from "../host.js";

/** The skills that clients are told of, remembered until they are asked for anew. */
export class SkillLists {
  #parts: Host;
  #config: () => Promise<Config>;
  #catalogue: Promise<SkillCatalogue> | undefined;

  /** `config` gives the settings that turn skills off. */
  constructor(parts: Host, config: () => Promise<Config>) {
    this.#parts = parts;
    this.#config = config;
  }

  /** The skills for work in a folder. */
  async forCwd(cwd: string): Promise<LoadedSkills> {
    return (await this.#current()).forCwd(cwd);
  }

  /** Where these are looked for, whether there is something or not. */
  async rootsFor(cwd: string): Promise<SkillRoot[]> {
    return (await this.#current()).rootsFor(cwd);
  }

  /** Looks at disk and settings again when asked next, and so do loaded threads at the disk. */
  clear(): void {
    this.#catalogue = undefined;
    this.#parts.forgetSkills();
  }

  #current(): Promise<SkillCatalogue> {
    this.#catalogue ??= this.#open();
    return this.#catalogue;
  }

  async #open(): Promise<SkillCatalogue> {
    try {
      return this.#parts.createSkills(await this.#config());
    } catch (error) {
      this.#catalogue = undefined; // whoever asks next tries again
      throw error;
    }
  }
}
