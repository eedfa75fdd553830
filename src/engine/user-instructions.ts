import type { EngineBehavior } from "../compat/index.js";
import type { Config } from "../config/index.js";
import {
  agentsMdText,
  noSkillsSection,
  readUserInstructions,
  skillsSection,
  userInstructionsText,
} from "../project/index.js";
import type { ResponseItem, SkillMetadata } from "../protocol/types.js";
import { userMessage } from "./opening/messages.js";

/** What the user and the project tell the model, and what could not be read of it. */
export interface LoadedInstructions {
  text: string | undefined;
  /** What is said of skills by itself. */
  skills: string;
  /** The files it is from. */
  sources: readonly string[];
  warnings: readonly string[];
}

/** The skills there are, and where the model is told of them. */
export interface SkillsToList {
  skills: readonly SkillMetadata[] | undefined;
  listsSkills: EngineBehavior["listsSkills"];
}

/** Reads the instructions of the user and of the project around the working directory. */
export function loadInstructions(
  config: Config,
  { skills = [], listsSkills }: SkillsToList,
): LoadedInstructions {
  const { home, cwd, project_doc_max_bytes, project_root_markers } = config;
  const { text, sources, warnings } = readUserInstructions({
    home,
    cwd,
    maxBytes: project_doc_max_bytes,
    rootMarkers: project_root_markers,
    fallbackFilenames: config.project_doc_fallback_filenames,
    ...(listsSkills === "by themselves" ? {} : { skills }),
    saysNoSkills: listsSkills === "always",
  });
  return { text, sources, warnings, skills: skillsSection(skills) ?? noSkillsSection };
}

/** The instructions as a message in front of the conversation. */
export function instructionsMessage(
  text: string,
  cwd: string,
  { instructionsForm }: EngineBehavior,
): ResponseItem {
  return userMessage(
    instructionsForm === "agents_md" ? agentsMdText(text, cwd) : userInstructionsText(text),
  );
}
