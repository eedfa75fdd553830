import type { Config } from "../config/index.js";
import { agentsMdText, readUserInstructions, userInstructionsText } from "../project/index.js";
import type { EngineDialect } from "../protocol/era.js";
import type { ResponseItem, SkillMetadata } from "../protocol/types.js";
import { userMessage } from "./environment-context.js";

/** What the user and the project tell the model, and what could not be read of it. */
export interface LoadedInstructions {
  text: string | undefined;
  warnings: readonly string[];
}

/** Reads the instructions of the user and of the project around the working directory. */
export async function loadInstructions(
  config: Config,
  skills: readonly SkillMetadata[] | undefined,
): Promise<LoadedInstructions> {
  const { home, cwd, project_doc_max_bytes, project_root_markers } = config;
  const { text, warnings } = await readUserInstructions({
    home,
    cwd,
    maxBytes: project_doc_max_bytes,
    rootMarkers: project_root_markers,
    fallbackFilenames: config.project_doc_fallback_filenames,
    skills,
  });
  return { text, warnings };
}

/** The instructions as a message in front of the conversation. */
export function instructionsMessage(
  text: string,
  cwd: string,
  { instructionsForm }: EngineDialect,
): ResponseItem {
  return userMessage(
    instructionsForm === "agents_md" ? agentsMdText(text, cwd) : userInstructionsText(text),
  );
}
