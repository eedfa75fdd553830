import type { InputItem } from "../../protocol/types.js";
import type { Skill } from "./interface-file.js";

/** What the user's skills are chosen from. */
export interface SkillChoice {
  items: readonly InputItem[];
  skills: readonly Skill[];
  /** Names of apps and connectors, in small letters: what also names one of them is no skill. */
  otherNames?: ReadonlySet<string> | undefined;
}

/** The skills to be put into the conversation. */
export interface SelectedSkills {
  skills: Skill[];
  /** Sentences for the user about skills that were chosen but are not there. */
  warnings: string[];
}

/**
 * Finds the skills that the user has asked for: by an item, by a link, or by name.
 *
 * A link or item decides by its path alone. A bare name counts only when it can mean one skill and
 * nothing else. Skills that are turned off are never chosen.
 */
export function selectSkills({ items, skills, otherNames }: SkillChoice): SelectedSkills {
  const selected = new Set<Skill>();
  const warnings: string[] = [];
  const enabled = skills.filter((skill) => skill.enabled);
  for (const item of items) {
    if (item.type !== "skill") continue;
    const skill = enabled.find(({ path }) => path === skillPath(item.path));
    if (skill) selected.add(skill);
    else warnings.push(`No skill ${item.name} is in use at ${item.path}`);
  }
  const unique = namedOnce(enabled, otherNames);
  for (const item of items) {
    if (item.type !== "text") continue;
    for (const skill of mentioned(findMentions(item.text), enabled, unique)) selected.add(skill);
  }
  return { skills: [...selected], warnings };
}

/** In the order in which skills are listed: those linked to, then those named. */
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

/** The skills that a text names, each once, in the order of the text. */
export interface SkillMentions {
  /** All names, also those of links. */
  names: Set<string>;
  /** Names without a link, written `$name`. */
  plainNames: Set<string>;
  /** What links lead to, written `[$name](path)`. */
  paths: Set<string>;
}

/** Looks for `$name` and `[$name](path)`; names that mostly are environment variables do not count. */
export function findMentions(text: string): SkillMentions {
  const mentions: SkillMentions = { names: new Set(), plainNames: new Set(), paths: new Set() };
  const lastClosing = text.lastIndexOf(")"); // after it there is no link, however much looks like one
  for (let at = text.search(/[[$]/); at >= 0; at = nextSign(text, at)) {
    const link = at < lastClosing ? matchAt(linkPattern, text, at) : undefined;
    const [whole = "", name = "", path = ""] = link ?? matchAt(namePattern, text, at) ?? [];
    if (whole !== "" && !isVariable(name)) add(mentions, name, path.trim());
    at += Math.max(whole.length, 1) - 1;
  }
  return mentions;
}

/** Whether a path names something other than a skill: an app or an MCP server's resource. */
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
