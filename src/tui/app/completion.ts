import { fuzzyMatch } from "../../lib/fuzzy-match.js";
import type { CommandContext, SlashCommand } from "../commands/command.js";
import { readSkills, type WireSkill } from "../commands/lists.js";
import { slashCommands } from "../commands/table.js";
import type { Complete, Completion } from "../composer/menu.js";
import type { SavedPrompt } from "../host.js";

/** Where completions come from. */
interface CompletionSources {
  commands(): readonly SlashCommand[];
  prompts(): Promise<readonly SavedPrompt[]>;
  skills(): Promise<readonly WireSkill[]>;
  /** Paths that match, best first. */
  files(query: string, signal: AbortSignal): Promise<readonly string[]>;
}

/** How many completions are offered. */
const most = 50;

/** Finds completions for what is being typed. */
export function createComplete(sources: CompletionSources): Complete {
  return async ({ sign, query }, signal) => {
    if (sign === "/") return commandCompletions(query, sources);
    if (sign === "$") return skillCompletions(query, await sources.skills());
    const paths = await sources.files(query, signal);
    return paths.slice(0, most).map((path) => ({ label: path, insert: insertedPath(path) }));
  };
}

/** A path with spaces is quoted, so that it can be told from what follows. */
function insertedPath(path: string): string {
  return /\s/.test(path) ? `"${path}"` : path;
}

async function commandCompletions(query: string, sources: CompletionSources) {
  const prompts = await sources.prompts();
  const all: Completion[] = [
    ...sources.commands().map(({ name, summary }) => ({
      label: `/${name}`,
      description: summary,
      insert: `/${name}`,
      isComplete: true,
    })),
    ...prompts.map(({ name, description, argumentHint }) => ({
      label: `/prompts:${name}`,
      description: [argumentHint, description ?? "saved prompt"].filter(Boolean).join(" · "),
      insert: `/prompts:${name}`,
      // One that asks for words is not complete without them.
      isComplete: argumentHint === undefined,
    })),
  ];
  return ranked(all, query, ({ label }) => label.slice(1));
}

function skillCompletions(query: string, skills: readonly WireSkill[]): Completion[] {
  const all = skills.map(({ name, description, shortDescription }) => ({
    label: `$${name}`,
    description: shortDescription ?? description,
    insert: `$${name}`,
  }));
  return ranked(all, query, ({ label }) => label.slice(1));
}

/** Names that begin with what was typed come before those that only contain its letters. */
function ranked(all: Completion[], query: string, textOf: (item: Completion) => string) {
  if (query === "") return all.slice(0, most);
  const found = all.flatMap((item) => {
    const match = fuzzyMatch(textOf(item), query);
    return match === undefined ? [] : [{ item, score: match.score }];
  });
  return found
    .sort((a, b) => a.score - b.score)
    .slice(0, most)
    .map(({ item }) => item);
}

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
