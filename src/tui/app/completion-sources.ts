import type { CommandContext } from "../commands/command.js";
import { readSkills, type WireSkill } from "../commands/lists.js";
import { slashCommands } from "../commands/table.js";
import type { CompletionSources } from "../composer/complete.js";

/** Completions from the commands, the user's prompts and, over the protocol, skills and files. */
export function createSources(context: CommandContext): CompletionSources {
  return {
    commands: () => slashCommands,
    prompts: () => context.host.readPrompts(),
    skills: () => usableSkills(context),
    files: (query, signal) => searchFiles(context, query, signal),
  };
}

/** A skill that is named in the message goes with it. */
async function usableSkills(context: CommandContext): Promise<WireSkill[]> {
  const skills = await readSkills(context);
  for (const { name, path } of skills) {
    context.composer.useSkill(name, { type: "skill", name, path });
  }
  return skills;
}

async function searchFiles(
  { server, ui }: CommandContext,
  query: string,
  signal: AbortSignal,
): Promise<string[]> {
  if (query === "") return [];
  const params = { query, roots: [ui.cwd], cancellationToken: "composer" };
  const { files } = await server.request("fuzzyFileSearch", params, signal);
  return files.map(({ path }) => path);
}
