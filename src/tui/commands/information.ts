import { permissionsText, shortHome } from "../lines/footer.js";
import { compactNumber } from "../text/count.js";
import type { WireRateWindow } from "../wire.js";
import type { CommandContext, SlashCommand } from "./command.js";
import { say } from "./notices.js";

/** Shows what the conversation works with, and what it used. */
export const status: SlashCommand = {
  name: "status",
  summary: "What it works with, who is signed in, what was used",
  isAlwaysReady: true,
  async run(context) {
    const { session, server, host, ui } = context;
    const { status } = session.conversation;
    const account = await server
      .ask<{ account: WireAccount | null }>("account/read", {})
      .catch(() => undefined);
    const left = status.contextLeft();
    const lines: [string, string][] = [["", host.title]];
    const add = (label: string, value: string | undefined) => {
      if (value !== undefined && value !== "") lines.push([label, value]);
    };
    const { settings, usage, limits } = status;
    add(
      "model",
      settings &&
        [settings.model, settings.effort, settings.provider && `(${settings.provider})`]
          .filter(Boolean)
          .join(" "),
    );
    add("folder", settings && shortHome(settings.cwd));
    add("permissions", settings && permissionsText(settings));
    add("signed in", accountText(account?.account));
    add("conversation", [status.threadName, status.threadId].filter(Boolean).join(" · "));
    add(
      "tokens",
      usage &&
        `${compactNumber(usage.total.totalTokens)}: ${compactNumber(usage.total.inputTokens)} in (${compactNumber(usage.total.cachedInputTokens)} cached), ${compactNumber(usage.total.outputTokens)} out`,
    );
    add(
      "context",
      left === undefined
        ? undefined
        : `${left}% left of ${compactNumber(usage?.modelContextWindow ?? 0)}`,
    );
    add("limit", windowText(limits?.primary));
    add("limit", windowText(limits?.secondary));
    session.conversation.transcript.add({ kind: "banner", lines });
    ui.screen.requestRender();
  },
};

interface WireAccount {
  type: string;
  email?: string | null;
  planType?: string;
}

function accountText(account: WireAccount | null | undefined): string | undefined {
  if (account === undefined) return undefined;
  if (account === null) return "no";
  if (account.type === "chatgpt")
    return [account.email, account.planType].filter(Boolean).join(", ");
  return account.type === "apiKey" ? "with an API key" : account.type;
}

function windowText(window: WireRateWindow | null | undefined): string | undefined {
  if (!window) return undefined;
  const hours = window.windowDurationMins ? Math.round(window.windowDurationMins / 60) : undefined;
  const span =
    hours === undefined
      ? ""
      : hours >= 48
        ? ` of ${Math.round(hours / 24)} days`
        : ` of ${hours} h`;
  const renewed = window.resetsAt
    ? `, renewed ${new Date(window.resetsAt * 1000).toLocaleString()}`
    : "";
  return `${Math.round(100 - window.usedPercent)}% left${span}${renewed}`;
}

/** Shows the MCP servers and their tools. */
export const mcp: SlashCommand = {
  name: "mcp",
  summary: "The MCP servers and their tools",
  isAlwaysReady: true,
  async run(context) {
    const { data } = await context.server.ask<{ data: WireMcpServer[] }>(
      "mcpServerStatus/list",
      {},
    );
    if (data.length === 0) {
      say(context, "No MCP server is set up", "`quire mcp add` sets one up");
      return;
    }
    const lines = data.map(({ name, tools = {}, authStatus, toolsError }): [string, string] => {
      const names = Object.keys(tools);
      const signedIn = authStatus === "notLoggedIn" ? " (not signed in)" : "";
      return [name, toolsError ?? `${names.join(", ") || "no tools"}${signedIn}`];
    });
    context.session.conversation.transcript.add({
      kind: "banner",
      lines: [["", "MCP servers"], ...lines],
    });
  },
};

interface WireMcpServer {
  name: string;
  tools?: Record<string, unknown>;
  authStatus?: string;
  toolsError?: string | null;
}

/** A skill as the server lists it. */
export interface WireSkill {
  name: string;
  description: string;
  shortDescription?: string;
  path: string;
  enabled?: boolean;
}

/** The skills that can be used in the folder of the conversation. */
export async function readSkills({
  server,
  session,
  ui,
}: Pick<CommandContext, "server" | "session" | "ui">): Promise<WireSkill[]> {
  const cwd = session.conversation.status.settings?.cwd ?? ui.cwd;
  const { data } = await server.ask<{ data: { skills: WireSkill[] }[] }>("skills/list", {
    cwds: [cwd],
  });
  return data.flatMap(({ skills }) => skills).filter(({ enabled }) => enabled !== false);
}

/** Chooses a skill for the message. */
export const skills: SlashCommand = {
  name: "skills",
  summary: "Choose a skill for the message",
  isAlwaysReady: true,
  async run(context) {
    const all = await readSkills(context);
    if (all.length === 0) {
      say(
        context,
        "There are no skills here",
        "A skill is a folder with a SKILL.md in the skills folder of your settings",
      );
      return;
    }
    const chosen = await context.ui.pick({
      title: "Which skill?",
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

/** Chooses a saved prompt. */
export const prompts: SlashCommand = {
  name: "prompts",
  summary: "Choose one of your saved prompts",
  isAlwaysReady: true,
  async run(context) {
    const { host, ui, composer } = context;
    const all = await host.readPrompts();
    if (all.length === 0) {
      say(
        context,
        "You have no saved prompts",
        "A prompt is a file NAME.md in the prompts folder of your settings",
      );
      return;
    }
    const name = await ui.pick({
      title: "Which prompt?",
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
