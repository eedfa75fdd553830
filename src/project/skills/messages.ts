import { type MayRead, readFileHead } from "../../lib/files.js";
import type { ResponseItem, SkillMetadata } from "../../protocol/types.js";

/**
 * Lists the skills for the model and explains their use; undefined if there are none.
 *
 * A project can have thousands of skills; beyond a limit they are only counted.
 */
export function skillsSection(skills: readonly SkillMetadata[]): string | undefined {
  const enabled = skills.filter((skill) => skill.enabled !== false);
  if (enabled.length === 0) return undefined;
  const lines: string[] = [];
  let size = 0;
  for (const skill of enabled) {
    const line = `- ${skill.name}: ${skill.description} (file: ${skill.path.replaceAll("\\", "/")})`;
    size += line.length;
    if (size > maxListLength) break;
    lines.push(line);
  }
  const unlisted = enabled.length - lines.length;
  if (unlisted > 0) lines.push(`- ${unlisted} more (not listed)`);
  return ["## Skills", introduction, "### Available skills", ...lines, usage].join("\n");
}

/** Section that states that there are no skills. */
export const noSkillsSection =
  "## Skills\nNo skills are installed here. Where there are some, each is a `SKILL.md` file with instructions for one kind of work.";

const maxListLength = 64 * 1024;

const introduction =
  "Skills are instructions for particular kinds of work, each kept in a `SKILL.md` file on this machine. " +
  "The list gives the name of each skill, when it applies, and where its file is.";

const usage = `### How to use skills
- Use a skill when the user names it, with or without a \`$\` before its name, or when the task is plainly what its description says. Several may apply; a skill used in one turn is not thereby in use in the next.
- To use one, read its \`SKILL.md\` and do as it says. Read on in files it refers to only when the task needs them. Relative paths in it start at the folder of that \`SKILL.md\`.
- Where a skill comes with scripts, templates or other files, use those instead of rewriting them.
- Say in a few words which skill you use and what for. When a skill that was asked for is missing or cannot be followed, say so and continue without it as well as you can.`;

/** Messages that add skills to a conversation. */
export interface SkillMessages {
  items: ResponseItem[];
  /** Sentences for the user about skills that could not be read. */
  warnings: string[];
}

/** Reads the files of the selected skills, in their current state, as messages for the model. */
export function readSkillMessages(
  skills: readonly SkillMetadata[],
  mayRead?: MayRead,
): SkillMessages {
  const messages: SkillMessages = { items: [], warnings: [] };
  for (const { name, path } of skills) {
    const head = readFileHead(path, maxSkillBytes, mayRead);
    if (head.problem !== undefined) {
      messages.warnings.push(`Failed to load skill ${name} at ${path}: ${head.problem}`);
      continue;
    }
    if (!head.whole) {
      messages.warnings.push(`Skill ${name} at ${path} was truncated after ${maxSkillBytes} bytes`);
    }
    const text = skillText({ name, path, body: head.bytes.toString() });
    messages.items.push({
      type: "message",
      role: "user",
      content: [{ type: "input_text", text }],
    });
  }
  return messages;
}

/** Formats a skill for the model; history and lists recognize such messages by the first tag. */
function skillText({ name, path, body }: { name: string; path: string; body: string }): string {
  return `<skill>\n<name>${name}</name>\n<path>${path}</path>\n${body}\n</skill>`;
}

const maxSkillBytes = 512 * 1024;
