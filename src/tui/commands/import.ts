import type { ExternalAgentItem } from "../../protocol/rpc/v2/external-agent.js";
import { shortHome } from "../lines/footer.js";
import { hang } from "../text/layout.js";
import { counted } from "../text/numbers.js";
import { sanitize } from "../text/sanitize.js";
import type { View } from "../view.js";
import { type CommandContext, printError, printNotice, type SlashCommand } from "./command.js";

/** `/import` */
export const importSettings: SlashCommand = {
  name: "import",
  summary: "Import settings of Claude Code: shows first what it would write",
  async run(context) {
    const { server, session, ui } = context;
    const cwd = session.conversation.status.settings?.cwd ?? ui.cwd;
    const params = { includeHome: true, cwds: [cwd] };
    const { items } = await server.request("externalAgentConfig/detect", params);
    const writing = items.filter((item) => writesOf(item).length > 0);
    if (writing.length === 0) return printNothing(context, items);
    const chosen = await chooseItems(context, writing);
    if (chosen !== undefined) await importItems(context, chosen);
  },
};

function printNothing(context: CommandContext, items: readonly ExternalAgentItem[]): void {
  const skipped = items.flatMap((item) => item.skipped ?? []);
  const hint = "It looks for CLAUDE.md, .claude/, .mcp.json and ~/.claude.json";
  const what = skipped.length === 0 ? "" : `. Left out:\n${skipped.join("\n")}`;
  printNotice(context, `There is nothing to import from Claude Code${what}`, hint);
}

/** Lets the user leave out items; resolves with the rest if the user agrees to write them. */
async function chooseItems(
  { ui }: CommandContext,
  items: readonly ExternalAgentItem[],
): Promise<readonly ExternalAgentItem[] | undefined> {
  const left = new Set<ExternalAgentItem>();
  let selected = 0;
  for (;;) {
    const chosen = items.filter((item) => !left.has(item));
    const files = new Set(chosen.flatMap(writesOf).map(({ path }) => path));
    const choice = await ui.pick<ExternalAgentItem | "show" | "write">({
      title: "Import from Claude Code?",
      text: "Nothing is written before you say yes. Files that exist are never overwritten.",
      choices: [
        { value: "show", label: "Show all that would be written" },
        ...items.map((item) => ({
          value: item,
          label: `${left.has(item) ? "☐" : "☑"} ${labels[item.itemType] ?? item.itemType}`,
          description: summaryOf(item),
        })),
        { value: "write", label: `Yes, write ${counted(files.size, "file")}` },
      ],
      selected,
      preview: async (value) => (typeof value === "string" ? [] : previewOf(value)),
    });
    if (choice === undefined) return undefined;
    if (choice === "write") return chosen;
    if (choice === "show") {
      await ui.pages("What an import would write", (view) => pageOf(chosen, view));
    } else {
      if (!left.delete(choice)) left.add(choice);
      selected = items.indexOf(choice) + 1;
    }
  }
}

const labels: Readonly<Record<string, string>> = {
  AGENTS_MD: "Instructions",
  CONFIG: "Settings",
  COMMANDS: "Commands",
  SUBAGENTS: "Helper agents",
  SKILLS: "Skills",
  MCP_SERVER_CONFIG: "MCP servers",
  HOOKS: "Hooks",
};

function writesOf({ writes = [] }: ExternalAgentItem) {
  return writes;
}

function summaryOf(item: ExternalAgentItem): string {
  const { commands, hooks, mcpServers, skills, subagents } = item.details ?? {};
  const names = (commands ?? hooks ?? mcpServers ?? skills ?? subagents ?? []).map(
    ({ name }) => name,
  );
  const place = item.cwd == null ? "yours" : "of this project";
  return [place, names.join(", ")].filter(Boolean).join(" · ");
}

function previewOf(item: ExternalAgentItem): string[] {
  const files = [
    ...new Set(writesOf(item).map(({ path, isNew }) => `${isNew ? "A" : "M"} ${shortHome(path)}`)),
  ];
  return [...files, ...(item.skipped ?? []).map((text) => `! ${text}`)];
}

function pageOf(items: readonly ExternalAgentItem[], { theme, width }: View): string[] {
  return items.flatMap((item) => [
    ...hang(theme.bold(sanitize(item.description)), width, " "),
    ...(item.skipped ?? []).flatMap((text) =>
      hang(theme.warning(`left out: ${sanitize(text)}`), width, " "),
    ),
    "",
    ...writesOf(item).flatMap(({ path, isNew, text }) => [
      ...hang(theme.accent(`${isNew ? "New" : "Add to"} ${sanitize(path)}`), width, " "),
      ...sanitize(text)
        .trimEnd()
        .split("\n")
        .flatMap((line) => hang(line, width, "   ")),
      "",
    ]),
  ]);
}

async function importItems(
  context: CommandContext,
  migrationItems: readonly ExternalAgentItem[],
): Promise<void> {
  if (migrationItems.length === 0) return printNotice(context, "Nothing was imported");
  const { itemTypeResults = [] } = await context.server.request("externalAgentConfig/import", {
    migrationItems: [...migrationItems],
  });
  const targets = itemTypeResults.flatMap(({ successes }) => successes.map(({ target }) => target));
  const files = [...new Set(targets.flatMap((target) => target ?? []))];
  if (files.length > 0) {
    const lines = files.map((file) => `  ${shortHome(file)}`);
    printNotice(context, ["Imported:", ...lines].join("\n"), "New sessions use it: /new");
  }
  for (const { source, message } of itemTypeResults.flatMap(({ failures }) => failures)) {
    printError(context, `Could not import ${source}`, message);
  }
}
