import { join } from "node:path";
import { readFileHead } from "../lib/read-file-head.js";
import type { SkillMetadata } from "../protocol/types.js";
import {
  docNames,
  type ProjectDocOptions,
  type ProjectDocs,
  readProjectDocs,
} from "./agents-md.js";
import { noSkillsSection, skillsSection } from "./skills/section.js";

/** Where the user's and the project's words to the model are looked for. */
export interface UserInstructionsOptions extends ProjectDocOptions {
  /** The folder of the user's settings, with an `AGENTS.md` for every project. */
  home: string;
  /** Skills to be listed for the model; those that are not enabled are left out. */
  skills?: readonly SkillMetadata[] | undefined;
  /** Whether the model is told so when there are none. */
  saysNoSkills?: boolean;
}

/** All that the user and the project tell the model before the conversation begins. */
export function readUserInstructions(options: UserInstructionsOptions): ProjectDocs {
  const home = readHomeDoc(options);
  const project = readProjectDocs(options);
  const docs = [home.text, project.text].filter((text) => text !== undefined);
  const none = options.saysNoSkills === true ? noSkillsSection : undefined;
  const skills = skillsSection(options.skills ?? []) ?? none;
  const texts = [docs.join(projectDocSeparator), skills ?? ""].filter((text) => text !== "");
  return {
    text: texts.length === 0 ? undefined : texts.join("\n\n"),
    sources: [...home.sources, ...project.sources],
    warnings: [...home.warnings, ...project.warnings],
  };
}

/** The text as the first user message of a session, in the form of 2025. */
export function userInstructionsText(text: string): string {
  return `<user_instructions>\n\n${text}\n\n</user_instructions>`;
}

/** The text as a user message in the form of 2026, which names the folder it is for. */
export function agentsMdText(text: string, cwd: string): string {
  return `# AGENTS.md instructions for ${cwd}\n\n<INSTRUCTIONS>\n${text}\n</INSTRUCTIONS>`;
}

const projectDocSeparator = "\n\n--- project-doc ---\n\n";

/** The user's own file has no budget, only a bound against a mistake. */
const maxHomeDocBytes = 1024 * 1024;

function readHomeDoc({ home, overrideFiles }: UserInstructionsOptions): ProjectDocs {
  const warnings: string[] = [];
  for (const name of docNames({ overrideFiles })) {
    const path = join(home, name);
    const head = readFileHead(path, maxHomeDocBytes);
    if (head.problem !== undefined) {
      if (!head.missing) warnings.push(`${path} is not read: ${head.problem}`);
      continue;
    }
    if (!head.whole) warnings.push(`${path} is cut after ${maxHomeDocBytes} bytes`);
    const text = head.bytes.toString().trim();
    if (text !== "") return { text, sources: [path], warnings };
  }
  return { text: undefined, sources: [], warnings };
}
