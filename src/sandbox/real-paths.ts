import { entryAt, realPathOf } from "./paths.js";

/**
 * Real paths, each looked up once.
 *
 * A command may be able to turn a link that a root was given by; what it pointed to when the user
 * gave it is what stays meant.
 */
export class RealPaths {
  readonly #known = new Map<string, string>();

  /** The real path of something that exists; nothing when it does not, or no longer. */
  of(path: string): string | undefined {
    const known = this.#known.get(path) ?? this.#look(path);
    return known !== undefined && entryAt(known) !== undefined ? known : undefined;
  }

  #look(path: string): string | undefined {
    const real = realPathOf(path);
    if (real !== undefined) this.#known.set(path, real);
    return real;
  }
}
