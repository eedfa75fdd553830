import { lazy } from "../../lib/async.js";
import type { FileRule, PermissionRules } from "../../protocol/permission-rules.js";
import type { Mount } from "../bubblewrap.js";
import { isWithin, realPathOf } from "../paths.js";
import type { PlaceholderState } from "../placeholders.js";
import type { SandboxOptions } from "../policy.js";
import type { ReadGuard } from "../read-guard.js";
import type { Root } from "../writable-roots.js";
import { RuleAccess } from "./access.js";
import { type Denied, findDenied, hasRulesBelow } from "./denied.js";
import type { DenyWatch } from "./deny-watch.js";
import { GlobMatches } from "./glob-matches.js";
import { createReadGuard } from "./guards.js";
import { holdMissing, missingByName } from "./missing.js";
import { ruledMounts } from "./mounts.js";
import { type Masks, openMasks, tooLarge, unwatched, watchOf } from "./rule-masks.js";
import { findSystemFiles, type SystemFiles } from "./system.js";

/** Files of a command under rules. */
export interface RuledFiles {
  access: RuleAccess;
  /** Access to everything that no other rule names. */
  root: "read" | "write" | "nothing";
  /** Writable roots that the rules permit. */
  roots: Root[];
  /** Paths with a rule to read only, in the order of the rules. */
  readOnly: string[];
  denied: Denied;
  /** Existing denied paths. */
  masked: string[];
  /** Missing paths that rules deny by name. */
  missing: string[];
  /** Returns true if rules name something in a path. */
  isParent(path: string): boolean;
  system: SystemFiles;
  masks: Masks;
  watch: DenyWatch | undefined;
  warnings: string[];
  /** Masks missing paths once placeholders stand for them, or something else that has appeared. */
  hold(states: ReadonlyMap<string, PlaceholderState>): void;
  /** Returns the mounts of a command, given those of its roots and protections. */
  mounts(plain: readonly Mount[]): Mount[];
}

/** Resolves permission rules to the files of this machine. Close it with its sandbox. */
export class RuleFiles {
  readonly #options: SandboxOptions;
  readonly #system = lazy(() => findSystemFiles(this.#options.platform));
  readonly #globs = new Map<string, GlobMatches>();
  readonly #targets = new Map<string, FileRule>();

  constructor(options: SandboxOptions) {
    this.#options = options;
  }

  /** Compiles rules for decisions on single paths. Throws if a pattern cannot be used. */
  access(rules: PermissionRules, cwd: string): RuleAccess {
    const { env, platform } = this.#options;
    const { paths } = this.#system();
    return new RuleAccess(rules, { cwd, tmpdir: env.TMPDIR, platform, system: paths });
  }

  /** Finds all denied files as of now. Throws if a rule cannot be enforced. */
  async denied(
    access: RuleAccess,
    rules: PermissionRules,
    searched: readonly string[],
  ): Promise<{ denied: Denied; matches: readonly string[]; globs: GlobMatches | undefined }> {
    const globs = this.#globsOf(access, rules);
    const { paths, complete, watched } = (await globs?.current()) ?? noMatches;
    if (!complete) throw new Error(tooLarge(access));
    const targets = this.#targets;
    const denied = await findDenied({ access, matches: paths, searched, targets });
    if (!watched) denied.warnings.push(unwatched);
    const isDenied = (path: string) => access.of(path).access === "deny";
    return { denied, matches: paths.filter(isDenied), globs };
  }

  /** Returns the guard of reads by this process. Throws if a rule cannot be enforced. */
  async readGuard(
    rules: PermissionRules,
    cwd: string,
    granted: readonly string[] = [],
  ): Promise<ReadGuard> {
    const access = this.access(rules, cwd);
    const { denied } = await this.denied(access, rules, access.workspaceRoots);
    const { platform } = this.#options;
    return createReadGuard({ access, denied, granted, platform });
  }

  /** Resolves the rules for a command. Throws if one cannot be enforced. */
  async resolve(
    rules: PermissionRules,
    { cwd, workdir = cwd, roots }: { cwd: string; workdir?: string; roots: readonly Root[] },
  ): Promise<RuledFiles> {
    const access = this.access(rules, cwd);
    const root = rootOf(access);
    const isOpen = rules.base === "unrestricted";
    const permitted = isOpen
      ? []
      : roots.filter(({ path, origin }) => isPermitted(access.of(path).access, origin));
    for (const path of new Set([cwd, workdir])) assertReadable(path, access, permitted);
    const readOnly = access.paths.filter(
      ({ path, access: wanted, rule }) =>
        wanted === "read" && path !== "/" && !isSystem(rule) && access.of(path).access === "read",
    );
    const searched = [...access.workspaceRoots, ...permitted.map(({ path }) => path)];
    const { denied, matches, globs } = await this.denied(access, rules, [
      ...searched,
      ...(root === "nothing" ? readOnly.map(({ path }) => path) : []),
    ]);
    const masks = lazy(() => openMasks(this.#options.stateDir));
    const files: RuledFiles = {
      access,
      root,
      roots: permitted,
      readOnly: readOnly.map(({ path }) => path),
      denied,
      masked: [...denied.files, ...denied.directories, ...denied.open],
      missing: missingByName(denied, access),
      isParent: (path) => hasRulesBelow(path, access),
      system: this.#system(),
      get masks() {
        return masks();
      },
      // Elsewhere a rule is about paths, and holds for whatever is there.
      watch:
        this.#options.platform === "linux" ? watchOf(denied, matches, globs, access) : undefined,
      warnings: denied.warnings,
      hold: (states) => holdMissing(files, states),
      mounts: (plain) => ruledMounts(files, plain),
    };
    return files;
  }

  close(): void {
    for (const globs of this.#globs.values()) globs.close();
    this.#globs.clear();
  }

  #globsOf(access: RuleAccess, { globScanMaxDepth }: PermissionRules): GlobMatches | undefined {
    const denied = access.globs.filter((rule) => rule.access === "deny");
    if (denied.length === 0) return undefined;
    const key = JSON.stringify([
      globScanMaxDepth,
      denied.map(({ glob }) => [glob.base, glob.source]),
    ]);
    const known = this.#globs.get(key);
    if (known !== undefined) return known;
    const globs = new GlobMatches(
      denied.map(({ glob }) => glob),
      globScanMaxDepth,
    );
    this.#globs.set(key, globs);
    return globs;
  }
}

const noMatches = { paths: [], complete: true, watched: true };

function rootOf(access: RuleAccess): RuledFiles["root"] {
  const decided = access.of("/").access;
  return decided === "write" || decided === "read" ? decided : "nothing";
}

function isPermitted(access: string, origin: Root["origin"]): boolean {
  return access === "write" || (origin === "granted" && access !== "deny");
}

function isSystem({ place }: FileRule): boolean {
  return place.type === "special" && place.name === "minimal";
}

function assertReadable(path: string, access: RuleAccess, roots: readonly Root[]): void {
  const real = realPathOf(path) ?? path;
  const { access: decided, rule } = access.of(real);
  if (decided === "read" || decided === "write") return;
  if (decided === "none" && roots.some((root) => isWithin(real, root.path))) return;
  const why = decided === "deny" ? `${rule?.origin ?? "a rule"} denies it` : "no rule permits it";
  throw new Error(`the working directory ${path} cannot be read: ${why}`);
}
