import { fuzzyMatch } from "../../lib/fuzzy-match.js";
import type { CommandContext, SlashCommand } from "../commands/command.js";
import { readSkills, type WireSkill } from "../commands/lists.js";
import { slashCommands } from "../commands/table.js";
import type { Complete, Completion } from "../composer/menu.js";
import type { SavedPrompt } from "../host.js";

/** Sources of completions. */
interface CompletionSources {
  commands(): readonly SlashCommand[];
  prompts(): Promise<readonly SavedPrompt[]>;
  skills(): Promise<readonly WireSkill[]>;
  /** Paths that match, best first. */
  files(query: string, signal: AbortSignal): Promise<readonly string[]>;
}

/** Limit of the completions offered. */
const most = 50;

/** Returns a function that completes the token at the cursor. */
export function createComplete(sources: CompletionSources): Complete {
  return async ({ sign, query }, signal) => {
    if (sign === "/") return commandCompletions(query, sources);
    if (sign === "$") return skillCompletions(query, await sources.skills());
    const paths = await sources.files(query, signal);
    return paths.slice(0, most).map((path) => ({ label: path, insert: insertedPath(path) }));
  };
}

/** Quotes a path that contains spaces, so that its end is unambiguous. */
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
      // A prompt with arguments needs them before it can be sent.
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

/** Filters by fuzzy match, best first: names that start with the query precede others. */
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

/** Completes slash commands and saved prompts locally, skills and files through the server. */
export function createSources(context: CommandContext): CompletionSources {
  return {
    commands: () => slashCommands,
    prompts: () => context.host.readPrompts(),
    skills: () => usableSkills(context),
    files: (query, signal) => searchFiles(context, query, signal),
  };
}

/** Reads the skills and attaches each one to the message if the message mentions it. */
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
