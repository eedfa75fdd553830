import type { EngineBehavior } from "../compat/index.js";
import type { Config } from "../config/index.js";
import type { ModelFamily } from "../model/families.js";
import {
  agentsMdText,
  noSkillsSection,
  readUserInstructions,
  skillsSection,
  userInstructionsText,
} from "../project/index.js";
import type { ResponseItem, SkillMetadata, ToolSpec } from "../protocol/types.js";
import { developerMessage, userMessage } from "./messages.js";
import patchText from "./prompts/apply-patch.md";
import baseText from "./prompts/base.md";

/** What the instructions of a request depend on. */
interface InstructionParts {
  /** Given by the client; stands alone. */
  override: string | undefined;
  family: Pick<ModelFamily, "needsPatchText">;
  tools: readonly ToolSpec[];
  /** What is said of the tone, if it is said here. */
  tone?: string;
}

/** The instructions of a request: the client's, or ours with what the model must be taught. */
export function instructionsFor({ override, family, tools, tone = "" }: InstructionParts): string {
  if (override !== undefined) return override;
  const hasPatchTool = tools.some((tool) => "name" in tool && tool.name === "apply_patch");
  const text = family.needsPatchText && !hasPatchTool ? withPatchText : baseText;
  return tone === "" ? text : `${text.trimEnd()}${tone}`;
}

const withPatchText = `${baseText}\n${patchText}`;

/** The instructions as a message, the same one as long as they are the same. */
export class InstructionsMessage {
  #text: string | undefined;
  #message: ResponseItem = developerMessage();

  of(text: string): ResponseItem {
    if (text === this.#text) return this.#message;
    this.#text = text;
    this.#message = developerMessage(text);
    return this.#message;
  }
}

/** What the user and the project tell the model, and what could not be read of it. */
interface LoadedInstructions {
  text: string | undefined;
  /** What is said of skills by itself. */
  skills: string;
  /** The files it is from. */
  sources: readonly string[];
  warnings: readonly string[];
}

/** The skills there are, and where the model is told of them. */
interface SkillsToList {
  skills: readonly SkillMetadata[] | undefined;
  listing: EngineBehavior["skillsSection"];
}

/** Reads the instructions of the user and of the project around the working directory. */
export function loadInstructions(
  config: Config,
  { skills = [], listing }: SkillsToList,
): LoadedInstructions {
  const { home, cwd, project_doc_max_bytes, project_root_markers } = config;
  const { text, sources, warnings } = readUserInstructions({
    home,
    cwd,
    maxBytes: project_doc_max_bytes,
    rootMarkers: project_root_markers,
    fallbackFilenames: config.project_doc_fallback_filenames,
    ...(listing === "by themselves" ? {} : { skills }),
    mentionsNoSkills: listing === "always",
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
