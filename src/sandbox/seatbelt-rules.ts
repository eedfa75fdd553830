import type { FileRule } from "../protocol/permission-rules.js";
import type { Confinement } from "./confinement.js";
import { ancestors, depthOf, isWithin } from "./paths.js";
import type { PathRule } from "./rules/access.js";
import type { RuledFiles } from "./rules/rule-files.js";
import { globPattern, pathPattern } from "./seatbelt-pattern.js";

/** Rules of a profile as statements for `sandbox-exec`. */
export interface SeatbeltRules {
  /** Access to everything that no statement is about; `open` is a command outside of the sandbox. */
  root: RuledFiles["root"] | "open";
  /** From the least to the most specific, because the last match decides. */
  statements: Statement[];
}

/** What is permitted or denied below a path. */
export type Statement =
  | { kind: "read" | "only-read" | "write-all" | "deny"; path: string }
  /** A writable root, with its protected paths. */
  | { kind: "root"; path: string }
  | { kind: "deny-pattern"; pattern: string }
  /** A directory that must not be moved, so that a denied path below it stays the same. */
  | { kind: "pin"; path: string }
  /** A directory that leads to a permitted one. */
  | { kind: "traverse"; path: string };

/**
 * Translates rules to statements. Throws if one cannot be enforced, with the name of the rule.
 *
 * Paths in seatbelt are those of the opened file, so links need no care; names of other case do,
 * because file systems of a Mac usually ignore case. Denials are patterns therefore.
 */
export function toSeatbeltRules(
  files: RuledFiles,
  { isOpen, confinement }: { isOpen: boolean; confinement: Pick<Confinement, "roots"> },
): SeatbeltRules {
  const { access, denied } = files;
  const globs = access.globs.map(({ glob, rule }) => {
    const below = access.paths.find(
      (one) => one.access !== "deny" && ancestors(one.path).some((path) => glob.matches(path)),
    );
    if (below !== undefined) throw new Error(overlap(rule, below.rule));
    return globPattern(glob);
  });
  const roots = new Set(confinement.roots.map(({ path }) => path));
  const named = access.paths.filter(({ path }) => path !== "/");
  const known = new Set(named.map(({ path }) => path));
  const granted = [...roots].filter((path) => !known.has(path));
  const ordered = [
    ...named.map((one) => ({ path: one.path, own: statementsOf(one, roots, isOpen) })),
    ...granted.map((path) => ({ path, own: [{ kind: "root", path } as const] })),
  ]
    .toSorted((a, b) => depthOf(a.path) - depthOf(b.path))
    .flatMap(({ own }): Statement[] => own);
  const aliases = [...denied.files, ...denied.directories, ...denied.inside.linked].filter(
    (path) => access.of(path).access !== "deny",
  );
  const isConfined = files.root === "nothing" && !isOpen;
  return {
    root: isOpen ? "open" : files.root,
    statements: [
      ...(isConfined ? traversals(ordered) : []),
      ...ordered,
      ...globs.map((pattern) => ({ kind: "deny-pattern", pattern }) as const),
      ...aliases.flatMap(denials),
      ...pins(files),
    ],
  };
}

function statementsOf(
  { path, access, rule }: PathRule,
  roots: ReadonlySet<string>,
  isOpen: boolean,
): Statement[] {
  if (access === "deny") return denials(path);
  if (isOpen) return [{ kind: "write-all", path }];
  if (access === "write") return roots.has(path) ? [{ kind: "root", path }] : [];
  return [{ kind: isSystem(rule) ? "read" : "only-read", path }];
}

function denials(path: string): Statement[] {
  return [
    { kind: "deny", path },
    { kind: "deny-pattern", pattern: pathPattern(path) },
  ];
}

/** Programs look up each directory on the way to a file. */
function traversals(statements: readonly Statement[]): Statement[] {
  const permitted = statements.flatMap((one) =>
    one.kind === "read" || one.kind === "only-read" || one.kind === "root" ? [one.path] : [],
  );
  const parents = new Set(permitted.flatMap((path) => ancestors(path).slice(1)));
  return [...parents]
    .filter((path) => !permitted.some((tree) => isWithin(path, tree)))
    .toSorted()
    .map((path) => ({ kind: "traverse", path }));
}

function pins({ access, denied, masked }: RuledFiles): Statement[] {
  const bases = access.globs.map(({ glob }) => glob.base);
  const below = [...masked, ...denied.absent].flatMap((path) => ancestors(path).slice(1));
  const all = new Set([...bases.flatMap((path) => ancestors(path)), ...below]);
  all.delete("/");
  return [...all].toSorted().map((path) => ({ kind: "pin", path }));
}

function isSystem({ place }: FileRule): boolean {
  return place.type === "special" && place.name === "minimal";
}

function overlap(glob: FileRule, below: FileRule): string {
  const name = ({ place, origin }: FileRule) => origin ?? JSON.stringify(place);
  return (
    `macOS cannot enforce the rule ${name(below)}, because it permits files that the pattern of ` +
    `${name(glob)} denies. Change one of them so that they do not overlap`
  );
}
