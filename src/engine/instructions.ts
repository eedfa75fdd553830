import type { EngineBehavior } from "../compat/index.js";
import type { Config } from "../config/index.js";
import type { MayRead } from "../lib/files.js";
import type { ModelFamily } from "../model/index.js";
import {
  agentsMdText,
  noSkillsSection,
  readUserInstructions,
  skillsSection,
  userInstructionsText,
} from "../project/index.js";
import type { ResponseItem, SkillMetadata, ToolSpec } from "../protocol/types.js";
import type { ReadGuard } from "../sandbox/index.js";
import { developerMessage, userMessage } from "./messages.js";
import patchText from "./prompts/apply-patch.md";
import baseText from "./prompts/base.md";

/** Inputs for the instructions of a request. */
interface InstructionParts {
  /** Instructions of the client; replace ours. */
  override: string | undefined;
  family: Pick<ModelFamily, "needsPatchText">;
  tools: readonly ToolSpec[];
  /** Text about the tone, in eras that put it here. */
  tone?: string;
}

/**
 * Returns the instructions of a request: the client's, or the default ones with the patch format if
 * the model needs it.
 */
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

/** Instructions of the user and the project, and warnings about files that could not be read. */
interface LoadedInstructions {
  text: string | undefined;
  /** Skills section, if sent as a separate message. */
  skills: string;
  /** The files it is from. */
  sources: readonly string[];
  warnings: readonly string[];
}

/** The available skills, and when to list them. */
interface SkillsToList {
  skills: readonly SkillMetadata[] | undefined;
  listing: EngineBehavior["skillsSection"];
  guard?: ReadGuard | undefined;
}

/** Reads the instructions of the user and of the project around the working directory. */
export function loadInstructions(
  config: Config,
  { skills: all = [], listing, guard }: SkillsToList,
): LoadedInstructions {
  const mayRead = permitted(guard);
  const skills = guard === undefined ? all : all.filter(({ path }) => !guard.isDenied(path));
  const { home, cwd, project_doc_max_bytes, project_root_markers } = config;
  const { text, sources, warnings } = readUserInstructions({
    home,
    cwd,
    maxBytes: project_doc_max_bytes,
    rootMarkers: project_root_markers,
    fallbackFilenames: config.project_doc_fallback_filenames,
    mayRead,
    ...(listing === "as a message" ? {} : { skills }),
    mentionsNoSkills: listing === "always",
  });
  return { text, sources, warnings, skills: skillsSection(skills) ?? noSkillsSection };
}

/**
 * Returns a check of instructions and skills: they are the user's settings, so that only what is
 * denied is not read, whatever commands may read.
 */
export function permitted(guard: ReadGuard | undefined): MayRead | undefined {
  return guard && ((path, file) => !guard.isDenied(path, file));
}

/** The instructions as a message in front of the conversation. */
export function instructionsMessage(
  text: string,
  cwd: string,
  { contextForm }: EngineBehavior,
): ResponseItem {
  return userMessage(contextForm === "2025" ? userInstructionsText(text) : agentsMdText(text, cwd));
}
