import { existsSync } from "node:fs";
import { join } from "node:path";
import ignore from "ignore";
import type { RestorePlan } from "../../src/checkpoint/index.js";
import { differing, type Edit, nameOf } from "./history-edits.js";

type Tree = Record<string, string>;

/** Paths that the user or another thread has changed since the start of a turn. */
export class TheirChanges {
  /** The states that they left. */
  readonly left = new Map<string, string | undefined>();
  /** Paths changed while a turn looked at the files; which of both they belong to is not certain. */
  readonly uncertain = new Map<string, Set<string | undefined>>();

  set(path: string, state: string | undefined): void {
    this.left.set(path, state);
  }

  addUncertain(during: Tree | undefined, before: Tree): void {
    if (during === undefined) return;
    for (const path of new Set([...Object.keys(during), ...Object.keys(before)])) {
      const states = this.uncertain.get(path) ?? new Set();
      this.uncertain.set(path, states.add(during[path]).add(before[path]));
    }
  }

  /** Returns true if a folder has a file of theirs. */
  areBelow(folder: string, tree: Tree): boolean {
    return [...this.left.keys()].some(
      (one) => one.startsWith(`${folder}/`) && tree[one] !== undefined,
    );
  }

  /** Returns true if a change of theirs is at, above or below a path. */
  areNear(path: string): boolean {
    return [...this.left.keys()].some((one) => isNear(one, path));
  }
}

export interface Outcome {
  after: Tree;
  now: Tree;
  wanted: Tree;
  theirs: TheirChanges;
}

export interface HistoryFacts {
  plan: RestorePlan;
  made: readonly Edit[];
  root: string;
  largest: number;
  hasIgnoreRules: boolean;
  /** The files after each change. */
  seen: readonly Tree[];
}

/**
 * Checks a rewind: what nobody else changed is as before the turn, and what others changed is as they, or
 * a later turn, left it. Paths that cannot be covered are as before or as they were, never in between.
 */
export function check(outcome: Outcome, facts: HistoryFacts): void {
  const { after, now, wanted, theirs } = outcome;
  const coverOf = coveredPaths(outcome, facts);
  for (const at of new Set([...differing(after, wanted), ...differing(after, now)])) {
    const wasSeen = facts.seen.some((tree) => tree[at] === after[at]) || after[at] === wanted[at];
    const isFolder = [after[at], now[at], wanted[at]].some((state) => state?.startsWith("folder"));
    if (theirs.left.has(at)) {
      const isLeft = after[at] === now[at] || after[at] === theirs.left.get(at);
      const isUncertain = theirs.uncertain.get(at)?.has(after[at]) === true;
      if (!isLeft && !isFolder && !isUncertain) fail(at, "of the user was lost", outcome, facts);
    } else if (theirs.uncertain.has(at)) {
      const wasThere = wasSeen || theirs.uncertain.get(at)?.has(after[at]) === true;
      if (!wasThere && !isFolder) fail(at, "has a state that never was", outcome, facts);
    } else if (after[at] !== wanted[at]) {
      // A change above or below a path may stand in its way.
      const isCovered = coverOf(at) === "covered";
      const isHeld = after[at] === now[at] && (theirs.areNear(at) || !isCovered);
      // A patch may have stored what a command before it has made of an ignored file.
      const isOlder = !isCovered && wasSeen;
      if (!isHeld && !isOlder && !theirs.areBelow(at, after))
        fail(at, "is not as before the turn", outcome, facts);
      if (!isReported(at, facts) && !theirs.areNear(at) && coverOf(at) !== "ignored") {
        fail(at, "is not as before the turn, and nothing says so", outcome, facts);
      }
    } else if (now[at] === wanted[at]) fail(at, "was changed without need", outcome, facts);
  }
}

/** Returns a function that finds out whether changes that commands make to a path are covered. */
function coveredPaths({ now, wanted, after }: Outcome, facts: HistoryFacts) {
  const { made, root, largest, hasIgnoreRules } = facts;
  const ignores = made.flatMap((edit) =>
    edit.path === ".gitignore" && "text" in edit ? [edit.text] : [],
  );
  const rules = ["*.log\n", ...ignores].map((text) => ignore().add(text));
  const all = new Set([now, wanted, after, ...facts.seen].flatMap((tree) => Object.keys(tree)));
  const isIgnored = (at: string) =>
    hasIgnoreRules && rules.some((rule) => rule.ignores(at) || rule.ignores(`${at}/`));
  const loose = [...all].filter((at) => {
    const states = [now, wanted, after, ...facts.seen].map((tree) => tree[at]);
    const isLarge = states.some((state) => sizeOf(state) > largest);
    const isText = [at, ...states].every((one) => !nameOf(one ?? "").includes("\ufffd"));
    return isLarge || !isText || existsSync(join(root, nameOf(at), ".git"));
  });
  return (at: string): "covered" | "ignored" | "not covered" => {
    if ([...all].some((one) => isNear(one, at) && isIgnored(one))) return "ignored";
    return loose.some((one) => isNear(one, at)) ? "not covered" : "covered";
  };
}

function isReported(at: string, { plan, root }: HistoryFacts): boolean {
  const { conflicts, unsaved, limits } = plan;
  const isNamed = [...conflicts, ...unsaved].some((one) =>
    isNear(one.path, join(root, nameOf(at))),
  );
  return isNamed || limits.length > 0 || existsSync(join(root, nameOf(at), ".git"));
}

function sizeOf(state = ""): number {
  const [kind, , contents = ""] = state.split(" ");
  return kind === "file" ? Buffer.from(contents, "base64").length : 0;
}

function isNear(one: string, other: string): boolean {
  return one === other || one.startsWith(`${other}/`) || other.startsWith(`${one}/`);
}

function fail(
  at: string,
  what: string,
  { theirs, ...trees }: Outcome,
  { plan }: HistoryFacts,
): never {
  const { conflicts, unsaved } = plan;
  const others = { theirs: [...theirs.left], uncertain: [...theirs.uncertain.keys()] };
  const details = { ...trees, ...others, conflicts, unsaved };
  throw new Error(`${JSON.stringify(at)} ${what}: ${JSON.stringify(details, shorten, 1)}`);
}

function shorten(_key: string, value: unknown): unknown {
  return typeof value === "string" && value.length > 80 ? `${value.slice(0, 80)}…` : value;
}

/** Throws if two trees differ. */
export function expectSame(one: Tree, other: Tree, when: string): void {
  const [path] = differing(one, other);
  if (path === undefined) return;
  const states = JSON.stringify([one[path], other[path]], shorten);
  throw new Error(`${JSON.stringify(path)} differs after the ${when}: ${states}`);
}
