import type { SkillErrorInfo, SkillMetadata } from "../../protocol/types.js";

/** How a skill wants to be shown. */
export interface SkillInterface {
  display_name?: string;
  short_description?: string;
  icon_small?: string;
  icon_large?: string;
  /** As `#RRGGBB`. */
  brand_color?: string;
  default_prompt?: string;
}

/** A tool that a skill cannot do without. */
export interface SkillTool {
  type: string;
  value: string;
  description?: string;
  transport?: string;
  command?: string;
  url?: string;
}

/** A skill with what its optional second file says of it. */
export interface Skill extends SkillMetadata {
  enabled: boolean;
  interface?: SkillInterface;
  dependencies?: { tools: SkillTool[] };
}

/** The skills of one folder, and the files that are none. */
export interface LoadedSkills {
  skills: Skill[];
  errors: SkillErrorInfo[];
}
