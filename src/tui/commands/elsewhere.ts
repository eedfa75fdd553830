import { printNotice, type SlashCommand } from "./command.js";

/** Commands of Codex that need a service of its vendor, or that have no counterpart here. */
const reasons: Readonly<Record<string, readonly [what: string, instead: string]>> = {
  feedback: [
    "sends a report to the vendor of Codex",
    "`quire doctor` collects what a report needs",
  ],
  plugins: [
    "installs from the vendor's catalogue",
    "Add MCP servers with `quire mcp add`, and skills as folders",
  ],
  apps: ["connects apps of a ChatGPT account", "Add MCP servers with `quire mcp add`"],
  voice: [
    "uses the vendor's speech service",
    "Dictate with the tool of your system into the composer",
  ],
  fast: [
    "pays the vendor for faster answers by a service tier; no tier is requested here",
    "`/model` selects a faster model or a lower effort",
  ],
  usage: [
    "shows and resets the limits of a ChatGPT account at the vendor",
    "`/status` shows what is left of the limits, `/cost` the tokens of this session",
  ],
  app: ["continues in the vendor's desktop app", "`quire web` continues in a browser"],
  pets: ["shows animals of the vendor", "There is nothing like it here"],
  ide: [
    "talks to an extension of the vendor for editors",
    "Editors connect by `quire app-server` or ACP",
  ],
  daemon: [
    "controls a background server, which does not exist here: each program has its own",
    "`quire app-server --listen unix://` with `quire --remote`",
  ],
  tui: [
    "selects between two screens of Codex; here there is one, which keeps the scrollback",
    "Pages such as Ctrl+T and /diff use the whole screen",
  ],
};

/** Slash commands that explain why they are not available. They are not in the menu. */
export const elsewhere: readonly SlashCommand[] = Object.entries(reasons).map(
  ([name, [what, instead]]) => ({
    name,
    summary: `Not available: ${what}`,
    operands: "",
    isAlwaysReady: true,
    run: (context) => printNotice(context, `/${name} ${what}`, instead),
  }),
);
