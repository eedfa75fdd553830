import type { InputItem } from "../../protocol/types.js";
import { findMentions, isOtherResource, type SkillMentions } from "./mentions.js";
import type { Skill } from "./types.js";

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
