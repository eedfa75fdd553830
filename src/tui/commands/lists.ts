import { programName } from "../../lib/program-name.js";
import { type CommandContext, printNotice, type SlashCommand } from "./command.js";

/** `/mcp` */
export const mcp: SlashCommand = {
  name: "mcp",
  summary: "List MCP servers and their tools",
  isAlwaysReady: true,
  async run(context) {
    const { data } = await context.server.request("mcpServerStatus/list", {});
    if (data.length === 0) {
      printNotice(
        context,
        "No MCP servers are configured",
        `Add one with \`${programName()} mcp add\``,
      );
      return;
    }
    const lines = data.map(({ name, tools = {}, authStatus, toolsError }): [string, string] => {
      const names = Object.keys(tools);
      const signedIn = authStatus === "notLoggedIn" ? " (not logged in)" : "";
      return [name, toolsError ?? `${names.join(", ") || "no tools"}${signedIn}`];
    });
    context.session.conversation.transcript.add({
      kind: "banner",
      lines: [["", "MCP servers"], ...lines],
    });
  },
};

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
  summary: "Select a saved prompt",
  isAlwaysReady: true,
  async run(context) {
    const { host, ui, composer } = context;
    const all = await host.readPrompts();
    if (all.length === 0) {
      printNotice(
        context,
        "You have no saved prompts",
        "A prompt is a file NAME.md under prompts/ in your config directory",
      );
      return;
    }
    const name = await ui.pick({
      title: "Select a prompt",
      choices: all.map((each) => ({
        value: each.name,
        label: each.name,
        description: [each.description, each.argumentHint].filter(Boolean).join(" · "),
      })),
      isSearched: true,
    });
    if (name !== undefined) composer.setText(`/prompts:${name} `);
  },
};
