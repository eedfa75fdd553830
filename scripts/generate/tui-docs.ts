import { commandUsage } from "../../src/tui/commands/program.js";
import { slashCommands } from "../../src/tui/commands/table.js";
import { approvalKeys, type KeyBinding, keyNames, mainKeys, pageKeys } from "../../src/tui/keys.js";
import { scenes } from "../pictures/scenes.js";
import { notice } from "./notice.js";

/** Writes `docs/tui.md`: keys and commands, from the program's own tables. */
export function writeTuiDocs(): string {
  return `${[
    "# Terminal UI",
    `<!-- ${notice} -->`,
    "`quire` without a command starts an interactive session. Describe a task and press Enter. Messages, " +
      "commands and changes stay in the scrollback of your terminal; only the last lines, with the " +
      "composer, are redrawn. The terminal UI is a client of the app-server: `quire --remote URL` connects " +
      "it to a remote server, and reconnects if the connection is lost.",
    picture("turn"),
    "## The first start",
    "If you are not signed in, it asks which model to use: ChatGPT (in a browser or with a device code), " +
      "an API key, a local model, or a demo with scripted answers that needs neither key nor network. In a " +
      "new folder it asks whether you trust its files and saves the answer in `config.toml` " +
      '(`projects."PATH".trust_level`).',
    "## Keyboard shortcuts",
    keyTable(mainKeys),
    "While a turn runs, Enter adds the message to it and Tab queues it for the next turn. If you interrupt, " +
      "messages that were not sent return to the composer.",
    "## In a message",
    table(
      ["Text", "Action"],
      [
        ["`@file`", "Mention a file: type part of its name, Tab completes it"],
        ["`$skill`", "Use a skill"],
        ["`!command`", "Run a shell command; the agent sees its output"],
        ["`/command`", "Run one of the commands below"],
        ["`/prompts:NAME KEY=value`", "Send a saved prompt"],
        [
          "pasted text of more than 10 lines",
          "Collapsed to a placeholder until the message is sent",
        ],
        ["the path of an image, pasted or dropped", "Attach the image"],
      ],
    ),
    "## Approvals",
    picture("approval"),
    "An approval shows the command, the diff or the requested permissions. The title and all choices " +
      "always fit the screen; a long command is folded, and `v` shows all of it. Hidden characters are made " +
      "visible (`␛`, `<202E>`). If an approval opens while you type, keys are ignored until a short " +
      "pause. A lasting rule (`p`) allows every command that starts with the words shown. The server " +
      "decides when to offer one: not for scripts of several lines, interpreters without a script " +
      "(`bash`, `python -c`) and wrappers such as `sudo`, which could run anything.",
    keyTable(approvalKeys),
    "## Commands",
    picture("commands"),
    table(
      ["Command", "Action"],
      slashCommands.map((command) => {
        const others = (command.aliases ?? []).map((name) => `\`/${name}\``).join(", ");
        return [
          `\`${commandUsage(command)}\``,
          `${command.summary}${others === "" ? "" : ` (also ${others})`}`,
        ];
      }),
    ),
    "Your saved prompts are commands too: `/prompts:NAME`; see [prompts and skills](prompts-and-skills.md).",
    "## Hooks",
    "If there are [hooks](hooks.md) that you have not trusted, a warning at the start lists them; they do not run. " +
      "`/hooks` lists all hooks by event with their state, source and command. Select one to see all of it, and to " +
      "trust, disable or enable it; the session follows from its next turn on. While a hook runs, the working line " +
      "names it. A hook that blocked or stopped something, or failed, is reported with its reason and file; others " +
      "leave no trace.",
    "## Pages",
    "The transcript (Ctrl+T), `/diff` and `/help` open on the full screen.",
    keyTable(pageKeys),
    "## Leaving",
    "On exit the composer and the status line are removed, and the last lines report the token usage and the " +
      "command that continues the session: `quire resume ID`.",
    "## Colors and notifications",
    "`/theme` selects the colors and saves them as `tui.theme`: `auto` matches the background of the " +
      "terminal, `dark` and `light` are fixed, `mono` uses no colors. `NO_COLOR` has the same effect as `mono`. " +
      "If the terminal is not focused when an approval is pending or a turn ends, it rings the bell and " +
      "shows a desktop notification if the terminal supports it (OSC 9); `tui.notifications` is `true`, `false` or a " +
      "list of `agent-turn-complete` and `approval-requested`. The `notify` program runs as configured.",
    "## Safety of the terminal",
    "Text from a model, a command, a file or a server cannot send control sequences to your terminal: all " +
      "of them are removed before anything is drawn.",
  ].join("\n\n")}\n`;
}

function keyTable(bindings: Readonly<Record<string, KeyBinding>>): string {
  const rows = Object.values(bindings).map((binding) => [`\`${keyNames(binding)}\``, binding.help]);
  return table(["Key", "Action"], rows);
}

function picture(name: string): string {
  const alt = scenes.find((scene) => scene.name === name)?.alt ?? "";
  return `![${alt}](pictures/${name}.svg)`;
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
}
