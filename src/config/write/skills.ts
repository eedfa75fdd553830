import { join } from "node:path";
import { isTable, type Table, valueAt } from "../toml/table.js";
import { type EditResult, editConfig } from "./edit-config.js";

/** A skill by its file, or all that have a name. */
export type SkillSelector = { path: string } | { name: string };

/** Turns a skill on or off in the user's file; what is on needs no entry. */
export function setSkill(
  home: string,
  skill: SkillSelector,
  enabled: boolean,
): Promise<EditResult> {
  return editConfig(join(home, "config.toml"), (values) => {
    const entries = entriesOf(values).filter((entry) => !isFor(entry, skill));
    const wanted = enabled ? entries : [...entries, { ...skill, enabled: false }];
    return [{ path: ["skills", "config"], value: wanted.length === 0 ? undefined : wanted }];
  });
}

function entriesOf(values: Table): Table[] {
  const entries = valueAt(values, ["skills", "config"]);
  return Array.isArray(entries) ? entries.filter(isTable) : [];
}

function isFor(entry: Table, skill: SkillSelector): boolean {
  return "path" in skill ? entry.path === skill.path : entry.name === skill.name;
}
