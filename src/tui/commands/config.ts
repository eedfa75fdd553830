import type { ConfigLayerSource } from "../../protocol/rpc/v2/config.js";
import { shortHome } from "../lines/footer.js";
import { type CommandContext, printError, printNotice, type SlashCommand } from "./command.js";

/** Settings that are offered even if they are not set, with their values; others are typed. */
const common: Readonly<Record<string, readonly string[]>> = {
  model: [],
  model_reasoning_effort: ["minimal", "low", "medium", "high", "xhigh"],
  approval_policy: ["untrusted", "on-request", "never"],
  sandbox_mode: ["read-only", "workspace-write", "danger-full-access"],
  web_search: ["disabled", "cached", "live"],
  personality: ["none", "friendly", "pragmatic"],
  file_opener: ["vscode", "vscode-insiders", "cursor", "windsurf", "none"],
  "tui.notifications": ["true", "false"],
};

/** `/config` */
export const config: SlashCommand = {
  name: "config",
  aliases: ["debug-config"],
  summary: "Show the effective settings and their source, and change them",
  isAlwaysReady: true,
  async run(context) {
    const { server, session, ui } = context;
    const cwd = session.conversation.status.settings?.cwd ?? ui.cwd;
    const answer = await server.request("config/read", cwd === "" ? {} : { cwd });
    const names = [...new Set([...Object.keys(common), ...Object.keys(answer.origins)])];
    const currentOf = (name: string) => readPath(answer.config, name);
    const name = await ui.pick({
      title: "Settings",
      text: "Select a setting to change it in your config.toml; new sessions use it.",
      isSearched: true,
      choices: names.map((each) => ({
        value: each,
        label: each,
        description: `${valueText(currentOf(each))} · ${sourceText(answer.origins[each]?.name)}`,
      })),
    });
    if (name !== undefined) await change(context, name, currentOf(name));
  },
};

async function change(context: CommandContext, name: string, now: unknown): Promise<void> {
  const { server, ui } = context;
  const text = `Current: ${valueText(now)}`;
  const values = common[name] ?? (typeof now === "boolean" ? ["true", "false"] : []);
  const typed =
    values.length > 0
      ? await ui.pick({
          title: name,
          text,
          choices: [
            ...values.map((value) => ({ value, label: value })),
            { value: "", label: "unset", description: "remove it from config.toml" },
          ],
          selected: Math.max(0, values.indexOf(String(now))),
        })
      : await ui.question({
          title: name,
          text: `${text}. Empty removes it.`,
          initial: textOf(now),
        });
  if (typed === undefined) return;
  const value = typed.trim() === "" ? null : readValue(typed.trim(), now);
  const edit = { keyPath: name, value, mergeStrategy: "replace" as const };
  try {
    const { status, filePath } = await server.request("config/value/write", edit);
    const done = value === null ? `Removed ${name}` : `${name} = ${valueText(value)}`;
    const hint =
      status === "okOverridden" ? "Another source overrides it here" : "New sessions use it";
    printNotice(context, `${done} (${shortHome(filePath)})`, hint);
  } catch (error) {
    printError(context, `Could not set ${name}`, error);
  }
}

/** Reads what the user typed as the type that the setting has now, or as JSON if it is some. */
function readValue(typed: string, now: unknown): unknown {
  if (typeof now === "string") return typed;
  try {
    return JSON.parse(typed);
  } catch {
    return typed;
  }
}

function readPath(value: unknown, path: string): unknown {
  const parts = path.match(/"(?:[^"\\]|\\.)*"|[^.]+/g) ?? [];
  return parts.reduce<unknown>((table, part) => {
    const key = part.startsWith('"') ? JSON.parse(part) : part;
    return typeof table === "object" && table !== null
      ? (table as Record<string, unknown>)[key]
      : undefined;
  }, value);
}

function valueText(value: unknown): string {
  if (value === undefined || value === null) return "not set";
  return textOf(value);
}

function textOf(value: unknown): string {
  if (value === undefined || value === null) return "";
  return typeof value === "string" ? value : JSON.stringify(value);
}

function sourceText(source: ConfigLayerSource | undefined): string {
  if (source === undefined) return "default";
  switch (source.type) {
    case "sessionFlags":
      return "command line";
    case "project":
      return `project: ${shortHome(source.dotCodexFolder)}`;
    case "user":
      return shortHome(source.file);
    default:
      return `administrator: ${source.file}`;
  }
}
