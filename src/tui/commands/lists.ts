import { inputText } from "../cells/user.js";
import { type CommandContext, printError, printNotice, type SlashCommand } from "./command.js";

/** A skill in the result of `skills/list`. */
export interface WireSkill {
  name: string;
  description: string;
  shortDescription?: string;
  path: string;
  enabled?: boolean;
}

/** Returns the enabled skills for the thread's folder. */
export async function readSkills({
  server,
  session,
  ui,
}: Pick<CommandContext, "server" | "session" | "ui">): Promise<WireSkill[]> {
  const cwd = session.conversation.status.settings?.cwd ?? ui.cwd;
  const { data } = await server.request("skills/list", {
    cwds: [cwd],
  });
  return data.flatMap(({ skills }) => skills).filter(({ enabled }) => enabled !== false);
}

/** `/skills` */
export const skills: SlashCommand = {
  name: "skills",
  summary: "Select a skill to use",
  isAlwaysReady: true,
  async run(context) {
    const all = await readSkills(context);
    if (all.length === 0) {
      printNotice(
        context,
        "No skills found",
        "A skill is a folder with a SKILL.md file under skills/ in your config directory",
      );
      return;
    }
    const chosen = await context.ui.pick({
      title: "Select a skill",
      choices: all.map((skill) => ({
        value: skill,
        label: skill.name,
        description: skill.shortDescription ?? skill.description,
      })),
      isSearched: true,
    });
    if (chosen === undefined) return;
    context.composer.useSkill(chosen.name, { type: "skill", name: chosen.name, path: chosen.path });
    context.composer.insert(`$${chosen.name} `);
  },
};

/** `/prompts` */
export const prompts: SlashCommand = {
  name: "prompts",
  aliases: ["presets"],
  summary: "Select a saved prompt, or save your last message as one",
  operands: "[save NAME]",
  isAlwaysReady: true,
  async run(context, operands) {
    const { host, ui, composer } = context;
    const [verb, name = "", ...rest] = operands.split(/\s+/);
    if (verb === "save" && rest.length === 0) return savePrompt(context, name);
    if (verb !== "") return printError(context, "Expected `/prompts` or `/prompts save NAME`");
    const all = await host.readPrompts();
    if (all.length === 0) {
      printNotice(
        context,
        "You have no saved prompts",
        "`/prompts save NAME` saves your last message as one",
      );
      return;
    }
    const chosen = await ui.pick({
      title: "Select a prompt",
      choices: all.map((each) => ({
        value: each.name,
        label: each.name,
        description: [each.description, each.argumentHint].filter(Boolean).join(" · "),
      })),
      isSearched: true,
    });
    if (chosen !== undefined) composer.setText(`/prompts:${chosen} `);
  },
};

/** Saves the last message of the session, if no prompt has the name yet. */
async function savePrompt(context: CommandContext, name: string): Promise<void> {
  const { host, session } = context;
  if (!/^\w[\w-]*$/.test(name)) {
    return printError(context, `Expected a name of letters, digits, "_" and "-" (got "${name}")`);
  }
  const cell = session.conversation.transcript.finished.findLast(({ kind }) => kind === "user");
  const text = cell?.kind === "user" ? inputText(cell.input) : "";
  if (text === "") return printError(context, "There is no message to save yet");
  const problem = await host.savePrompt(name, text);
  if (problem !== undefined) return printError(context, problem);
  printNotice(
    context,
    `Saved as /prompts:${name}`,
    "It is a file under prompts/ in your config directory",
  );
}
