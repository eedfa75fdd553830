import { dirname, isAbsolute, relative, sep } from "node:path";
import { hasMarker } from "../lib/folders-up.js";

/** Says how paths are named in a diff; remembers which folders are in which repository. */
export class DisplayPaths {
  readonly #root: string | undefined;
  readonly #repositories = new Map<string, string | undefined>();

  /** Paths below `root`, when there is one, are named from there. */
  constructor(root?: string) {
    this.#root = root;
  }

  /** Names a path from the root, else from the top of its git repository, else in full. */
  nameOf(path: string): string {
    const root = this.#root ?? this.#repositoryOf(dirname(path));
    const way = root === undefined ? path : relative(root, path);
    const isBelow = way !== "" && !isAbsolute(way) && way.split(sep)[0] !== "..";
    return (isBelow ? way : path).split(sep).join("/");
  }

  #repositoryOf(folder: string): string | undefined {
    const known = this.#repositories.get(folder);
    if (known !== undefined || this.#repositories.has(folder)) return known;
    const parent = dirname(folder);
    const above = parent === folder ? undefined : this.#repositoryOf(parent);
    const repository = hasMarker(folder, ".git") ? folder : above;
    this.#repositories.set(folder, repository);
    return repository;
  }
}
