import { programName } from "../../lib/program-name.js";
import type { McpServerStatus } from "../../protocol/rpc/v2/mcp-server.js";
import { hang } from "../text/layout.js";
import { sanitize } from "../text/sanitize.js";
import type { View } from "../view.js";
import { type CommandContext, printError, printNotice, type SlashCommand } from "./command.js";

/** `/mcp` */
export const mcp: SlashCommand = {
  name: "mcp",
  summary: "List MCP servers and their tools, or log in to one",
  operands: "[verbose|login [NAME]]",
  isAlwaysReady: true,
  async run(context, operands) {
    const [word = "", name] = operands.split(/\s+/);
    if (!["", "verbose", "login"].includes(word)) {
      return printError(context, `Expected /mcp, /mcp verbose or /mcp login (got ${operands})`);
    }
    const { data } = await context.server.request("mcpServerStatus/list", {});
    if (data.length === 0) {
      const hint = `Add one with \`${programName()} mcp add\``;
      return printNotice(context, "No MCP servers are configured", hint);
    }
    if (word === "login") return login(context, data, name);
    if (word === "verbose") {
      return context.ui.pages("MCP servers", (view) => data.flatMap((one) => details(one, view)));
    }
    context.session.conversation.transcript.add({
      kind: "banner",
      lines: [
        ["", "MCP servers"],
        ...data.map((one): [string, string] => [one.name, toolsOf(one)]),
      ],
    });
    context.ui.screen.requestRender();
  },
};

function toolsOf({ tools = {}, authStatus, toolsError }: McpServerStatus): string {
  const signedIn = authStatus === "notLoggedIn" ? " (not logged in: /mcp login)" : "";
  return toolsError ?? `${Object.keys(tools).join(", ") || "no tools"}${signedIn}`;
}

function details(server: McpServerStatus, view: View): string[] {
  const { theme, width } = view;
  const tools = Object.entries(server.tools ?? {}).flatMap(([name, tool]) => [
    ...hang(theme.name(sanitize(name)), width, "  "),
    ...hang(
      theme.dim(sanitize((tool as { description?: string }).description ?? "")),
      width,
      "    ",
    ),
  ]);
  const problem = server.toolsError ? hang(theme.failure(server.toolsError), width, "  ") : [];
  const title = `${server.name} (${server.authStatus})`;
  return ["", ...hang(theme.bold(sanitize(title)), width, " "), ...problem, ...tools];
}

/** Logs in to a server in the browser; reports when it is done. */
async function login(
  context: CommandContext,
  servers: readonly McpServerStatus[],
  named: string | undefined,
): Promise<void> {
  const { server, ui } = context;
  if (named !== undefined && !servers.some(({ name }) => name === named)) {
    return printError(context, `There is no MCP server ${JSON.stringify(named)}. /mcp lists them`);
  }
  const able = servers.filter(({ authStatus }) => authStatus !== "unsupported");
  if (named === undefined && able.length === 0) {
    return printNotice(context, "None of the MCP servers needs a login");
  }
  const choices = able.map(({ name, authStatus }) => ({
    value: name,
    label: name,
    description: authStatus,
  }));
  const name = named ?? (await ui.pick({ title: "Log in to which server?", choices }));
  if (name === undefined) return;
  const stop = server.onNotification(({ method, params }) => {
    if (method !== "mcpServer/oauthLogin/completed" || params.name !== name) return;
    stop();
    if (params.success) printNotice(context, `Logged in to ${name}`);
    else printError(context, `Could not log in to ${name}: ${params.error ?? "it was cancelled"}`);
  });
  try {
    const { authorizationUrl } = await server.request("mcpServer/oauth/login", { name });
    printNotice(context, `Open this link in a browser to log in to ${name}:\n${authorizationUrl}`);
  } catch (error) {
    stop();
    printError(context, `Could not log in to ${name}`, error);
  }
}
