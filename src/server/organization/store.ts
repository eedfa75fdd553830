import { readFile, stat } from "node:fs/promises";
import { errorText } from "../../lib/errors.js";
import { withFileLock } from "../../lib/file-lock.js";
import { followLinks, removeLeftovers, replaceFile } from "../../lib/replace-file.js";
import { CodexError } from "../../protocol/error.js";
import { emptyOrganization, type Organization, parseOrganization } from "./organization.js";
import { organizationPath } from "./path.js";

/**
 * Sections, projects, attachments and edited metadata of threads, in one file of the home.
 *
 * Several processes may change it: a change is made under a lock, to the state that the file has then.
 */
export class OrganizationStore {
  readonly #path: string;
  /** Version of the file that `#known` was read from; empty if there is none. */
  #version = "";
  #known: Organization = emptyOrganization();

  constructor(home: string) {
    this.#path = organizationPath(home);
  }

  /** Returns the stored state; callers must not change it. */
  async read(): Promise<Organization> {
    const stats = await stat(this.#path).catch(() => undefined);
    const version = stats === undefined ? "" : `${stats.ino} ${stats.size} ${stats.mtimeMs}`;
    if (version === this.#version) return this.#known;
    this.#known = await this.#load();
    this.#version = version;
    return this.#known;
  }

  /**
   * Applies a change to the state and stores it. Nothing is stored if the change throws or returns
   * without having changed anything.
   */
  async change<Result>(apply: (state: Organization) => Result): Promise<Result> {
    try {
      const target = await followLinks(this.#path);
      return await withFileLock(`${target}.lock`, patience, async () => {
        await removeLeftovers(target);
        const state = await this.#load();
        const before = JSON.stringify(state);
        const result = apply(state);
        const after = JSON.stringify(state);
        if (after !== before) await replaceFile(target, `${after}\n`);
        return result;
      });
    } catch (error) {
      if (error instanceof Error && "code" in error && typeof error.code === "number") throw error;
      if (error instanceof CodexError) throw error;
      const message = `Cannot store sections, projects and attachments: ${errorText(error)}`;
      throw new CodexError("io", message, { cause: error });
    }
  }

  async #load(): Promise<Organization> {
    const text = await readFile(this.#path, "utf8").catch((error: NodeJS.ErrnoException) => {
      if (error.code === "ENOENT") return undefined;
      throw new CodexError("io", `Cannot read ${this.#path}: ${errorText(error)}`);
    });
    return text === undefined ? emptyOrganization() : parseOrganization(text, this.#path);
  }
}

const patience = { sameHolderMs: 5_000, totalMs: 20_000 };
