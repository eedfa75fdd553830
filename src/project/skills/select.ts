import type { InputItem } from "../../protocol/types.js";
import type { Skill } from "./interface-file.js";

/** Input items and the skills to select from. */
export interface SkillChoice {
  items: readonly InputItem[];
  skills: readonly Skill[];
  /** Lower-case names of apps and connectors; a name shared with one of them selects no skill. */
  otherNames?: ReadonlySet<string> | undefined;
}

/** Skills to add to the conversation. */
export interface SelectedSkills {
  skills: Skill[];
  /** Sentences for the user about selected skills that do not exist. */
  warnings: string[];
}

/**
 * Selects the skills that the user asked for: by an item, a link or a name.
 *
 * A link or item selects by path only. A plain name counts only if it is unambiguous. Disabled
 * skills are never selected.
 */
export function selectSkills({ items, skills, otherNames }: SkillChoice): SelectedSkills {
  const selected = new Set<Skill>();
  const warnings: string[] = [];
  const enabled = skills.filter((skill) => skill.enabled);
  for (const item of items) {
    if (item.type !== "skill") continue;
    const skill = enabled.find(({ path }) => path === skillPath(item.path));
    if (skill) selected.add(skill);
    else warnings.push(`No enabled skill ${item.name} at ${item.path}`);
  }
  const unique = namedOnce(enabled, otherNames);
  for (const item of items) {
    if (item.type !== "text") continue;
    for (const skill of mentioned(findMentions(item.text), enabled, unique)) selected.add(skill);
  }
  return { skills: [...selected], warnings };
}

/** Returns linked skills, then named ones, each in list order. */
function mentioned(
  mentions: SkillMentions,
  skills: readonly Skill[],
  unique: ReadonlySet<string>,
): Skill[] {
  const paths = new Set(
    [...mentions.paths].filter((path) => !isOtherResource(path)).map(skillPath),
  );
  const linked = skills.filter(({ path }) => paths.has(path));
  const named = skills.filter(({ name }) => mentions.plainNames.has(name) && unique.has(name));
  return [...new Set([...linked, ...named])];
}

function namedOnce(skills: readonly Skill[], otherNames?: ReadonlySet<string>): Set<string> {
  const counts = new Map<string, number>();
  for (const { name } of skills) counts.set(name, (counts.get(name) ?? 0) + 1);
  const names = [...counts].filter(
    ([name, count]) => count === 1 && !otherNames?.has(name.toLowerCase()),
  );
  return new Set(names.map(([name]) => name));
}

function skillPath(path: string): string {
  return path.startsWith("skill://") ? path.slice("skill://".length) : path;
}

/** Skills mentioned in a text, in order. */
export interface SkillMentions {
  /** All names, including those of links. */
  names: Set<string>;
  /** Names without a link: `$name`. */
  plainNames: Set<string>;
  /** Targets of links: `[$name](path)`. */
  paths: Set<string>;
}

/** Finds `$name` and `[$name](path)`; names of common environment variables are ignored. */
export function findMentions(text: string): SkillMentions {
  const mentions: SkillMentions = { names: new Set(), plainNames: new Set(), paths: new Set() };
  const lastClosing = text.lastIndexOf(")"); // no link can end after it
  for (let at = text.search(/[[$]/); at >= 0; at = nextSign(text, at)) {
    const link = at < lastClosing ? matchAt(linkPattern, text, at) : undefined;
    const [whole = "", name = "", path = ""] = link ?? matchAt(namePattern, text, at) ?? [];
    if (whole !== "" && !isVariable(name)) add(mentions, name, path.trim());
    at += Math.max(whole.length, 1) - 1;
  }
  return mentions;
}

/** Returns true if a path names an app or an MCP resource instead of a skill. */
function isOtherResource(path: string): boolean {
  return path.startsWith("app://") || path.startsWith("mcp://");
}

const namePattern = /\$([A-Za-z0-9_-]+)/y;
const linkPattern = /\[\$([A-Za-z0-9_-]+)\][ \t\n\f\r]*\(([^)]*[^)\s][^)]*)\)/y;

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | undefined {
  pattern.lastIndex = at;
  return pattern.exec(text) ?? undefined;
}

function nextSign(text: string, after: number): number {
  const rest = /[[$]/g;
  rest.lastIndex = after + 1;
  return rest.exec(text)?.index ?? -1;
}

function add(mentions: SkillMentions, name: string, path: string): void {
  if (path === "") mentions.plainNames.add(name);
  else mentions.paths.add(path);
  if (!isOtherResource(path)) mentions.names.add(name);
}

const variables = new Set(
  "PATH HOME USER SHELL PWD TMPDIR TEMP TMP LANG TERM XDG_CONFIG_HOME".split(" "),
);

function isVariable(name: string): boolean {
  return variables.has(name.toUpperCase());
}
