import type { SkillMetadata } from "../../protocol/types.js";

/**
 * Tells the model which skills there are and how to use them; nothing when there are none.
 *
 * A project can hold thousands of skills; of a list that grows too long the end is only counted.
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
  if (unlisted > 0) lines.push(`- ${unlisted} more that are too many to list here`);
  return ["## Skills", introduction, "### Available skills", ...lines, usage].join("\n");
}

/** Tells the model that there are none. */
export const noSkillsSection =
  "## Skills\nNo skills are installed here. Where there are some, each is a `SKILL.md` file with instructions for one kind of work.";

const maxListLength = 64 * 1024;

const introduction =
  "Skills are instructions for particular kinds of work, each kept in a `SKILL.md` file on this machine. " +
  "The list gives the name of each skill, when it applies, and where its file is.";

const usage = `### How to use skills
- Use a skill when the user names it, with or without a \`$\` before its name, or when the task is plainly what its description says. Several may apply; a skill used in one turn is not thereby in use in the next.
- To use one, read its \`SKILL.md\` and do as it says. Read on in files it refers to only when the task needs them. Relative paths in it start at the folder of that \`SKILL.md\`.
- Where a skill comes with scripts, templates or other files, use those rather than writing them anew.
- Say in a few words which skill you use and what for. When a skill that was asked for is missing or cannot be followed, say so and go on in the best way without it.`;
