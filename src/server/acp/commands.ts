import type { AvailableCommand } from "@agentclientprotocol/sdk";
import { expandPrompt, readCustomPrompts } from "../../project/index.js";
import { initPrompt } from "../../protocol/init-prompt.js";
import type { UserInput } from "../../protocol/rpc/v2/user-input.js";
import type { ReviewTarget } from "../../protocol/sqeq/events/review.js";
import type { AppServer } from "./app-server.js";
import { invalidParams } from "./errors.js";

/** What a slash command does: a review, a compaction, or a turn with other input. */
export type CommandAction =
  | { type: "compact" }
  | { type: "review"; target: ReviewTarget }
  | { type: "input"; input: UserInput[] };

/** Sources of commands: the user's prompts, and the skills for a folder. */
export interface CommandSources {
  appServer: AppServer;
  home: string;
  cwd: string;
}

/** Lists the commands of a session. */
export async function listCommands(sources: CommandSources): Promise<AvailableCommand[]> {
  const [prompts, skills] = await Promise.all([
    readCustomPrompts({ home: sources.home }).catch(() => []),
    readSkills(sources).catch(() => []),
  ]);
  return [
    ...builtIn,
    ...prompts.map(({ name, description, argument_hint }) => ({
      name: `${promptPrefix}${name}`,
      description: description || "Saved prompt",
      input: { hint: argument_hint || "arguments" },
    })),
    ...skills.map(({ name, description, shortDescription }) => ({
      name: `${skillPrefix}${name}`,
      description: shortDescription || description,
      input: { hint: "task" },
    })),
  ];
}

const builtIn: readonly AvailableCommand[] = [
  {
    name: "review",
    description: "Review uncommitted changes, or what the instructions describe",
    input: { hint: "instructions (optional)" },
  },
  {
    name: "review-branch",
    description: "Review this branch against a base branch",
    input: { hint: "base branch" },
  },
  { name: "review-commit", description: "Review a commit", input: { hint: "commit" } },
  { name: "compact", description: "Summarize the session to free up context" },
  { name: "init", description: "Create an AGENTS.md with instructions for this project" },
];

const promptPrefix = "prompts:";
const skillPrefix = "skills:";

/** Reads a slash command at the start of input; undefined for other messages, such as a path. */
export async function readCommand(
  input: readonly UserInput[],
  sources: CommandSources,
): Promise<CommandAction | undefined> {
  const [first, ...others] = input;
  if (first?.type !== "text") return undefined;
  const found = /^\/([\w:.-]+)(?:\s+([\s\S]*))?$/.exec(first.text.trim());
  if (found === null) return undefined;
  const [, name = "", operands = ""] = found;
  const rest = operands.trim();
  if (name === "compact") return { type: "compact" };
  if (name === "init") return { type: "input", input: [{ type: "text", text: initPrompt }] };
  if (name === "review" || name.startsWith("review-")) return reviewOf(name, rest);
  if (name.startsWith(promptPrefix)) {
    const text = await fillPrompt(first.text.trim(), sources.home);
    return { type: "input", input: [{ type: "text", text }, ...others] };
  }
  if (!name.startsWith(skillPrefix)) return undefined;
  return { type: "input", input: [...(await useSkill(name, rest, sources)), ...others] };
}

function reviewOf(name: string, operands: string): CommandAction | undefined {
  if (name === "review") {
    const target: ReviewTarget =
      operands === "" ? { type: "uncommittedChanges" } : { type: "custom", instructions: operands };
    return { type: "review", target };
  }
  if (name === "review-branch") {
    if (operands === "") throw invalidParams("/review-branch needs the name of a base branch.");
    return { type: "review", target: { type: "baseBranch", branch: operands } };
  }
  if (name !== "review-commit") return undefined;
  if (operands === "") throw invalidParams("/review-commit needs a commit.");
  return { type: "review", target: { type: "commit", sha: operands } };
}

async function fillPrompt(line: string, home: string): Promise<string> {
  const expanded = expandPrompt(line, await readCustomPrompts({ home }));
  if (expanded === undefined) throw invalidParams(`There is no such prompt: ${line.slice(0, 80)}`);
  if (expanded.problem !== undefined) throw invalidParams(expanded.problem);
  return expanded.text;
}

async function useSkill(
  command: string,
  task: string,
  sources: CommandSources,
): Promise<UserInput[]> {
  const name = command.slice(skillPrefix.length);
  const skill = (await readSkills(sources)).find((one) => one.name === name);
  if (skill === undefined) throw invalidParams(`There is no skill ${JSON.stringify(name)}.`);
  return [
    { type: "text", text: `$${name} ${task}`.trim() },
    { type: "skill", name, path: skill.path },
  ];
}

async function readSkills({ appServer, cwd }: CommandSources) {
  const { data } = await appServer.request("skills/list", { cwds: [cwd] });
  return data.flatMap(({ skills }) => skills).filter(({ enabled }) => enabled !== false);
}
