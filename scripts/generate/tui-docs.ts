import { commandUsage } from "../../src/tui/commands/program.js";
import { slashCommands } from "../../src/tui/commands/table.js";
import {
  approvalKeys,
  composerKeys,
  type KeyBinding,
  keyNames,
  mainKeys,
  pageKeys,
} from "../../src/tui/keys.js";
import { defaultStatusItems, statusItems } from "../../src/tui/lines/status-items.js";
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
    keyTable({ ...mainKeys, ...composerKeys }),
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
    "## Status line and title",
    "The status line drops items from the right if it does not fit; the permissions are kept longest. `/statusline` " +
      "and `/title` choose the items and save them as `tui.status_line` and `tui.terminal_title`; " +
      "`/statusline permissions model git-branch` sets them at once, `default` and `none` are lists too. " +
      "Default: " +
      `${defaultStatusItems.map((name) => `\`${name}\``).join(", ")}. The title is \`◆ project · waiting\`, with the ` +
      "marks ● running, ◆ waiting, ✓ done, ✗ failed, and is restored at the end. Terminals that show progress " +
      "(OSC 9;4) get it.",
    table(
      ["Item", "Shows"],
      Object.entries(statusItems).map(([name, { help }]) => [`\`${name}\``, help]),
    ),
    "## Vim keys and other keys",
    "`/vim` switches vim keys on or off (`tui.vim_mode_default`). There are insert, normal, replace and visual mode; " +
      "motions (`h j k l w b e W B E 0 ^ $ gg G f F t T ; ,`) with counts, the operators `d`, `c` and `y`, text objects " +
      '(`iw`, `a(`, `i"` …), registers, `.`, `u` and Ctrl+R. The status line shows the mode. A selection is not ' +
      "highlighted, and there is no search.",
    "`[tui.keymap.CONTEXT]` in `config.toml` binds keys to actions, with the names of the reference; `/keymap` lists " +
      'all of them. A key is written as `"ctrl-x"`, `"alt-up"` or `"f2"`; a list binds several, `[]` none. A name that ' +
      "does not exist is reported at the start, with a similar one.",
    "## Plan mode",
    "In plan mode (`Shift+Tab` or `/plan`) nothing can be changed. A proposed plan ends in a dialog: implement it here or in a new " +
      "session that gets the plan alone, keep planning, or edit the plan first.",
    "![A proposed plan, with the dialog that ends plan mode](pictures/plan.svg)",
    "## Settings of Claude Code",
    "`/import` finds `CLAUDE.md`, commands, helper agents, skills, MCP servers, hooks and settings of Claude Code, " +
      "yours and those of the project. It lists the files that it would write, each can be left out or shown, and " +
      "nothing is written before you say yes. Files that exist are never overwritten. What has no counterpart is " +
      "listed with the reason. Commands of yours become saved prompts, those of a project become skills; rules like " +
      "`Bash(npm test:*)` become `rules/claude-code.rules`; hooks do not run until you trust them with `/hooks`.",
    "## Images",
    "Images of your messages, of tools and those that the agent views or generates are drawn in the transcript if the " +
      "terminal can: with the protocols of kitty (kitty, Ghostty) and iTerm2 (iTerm2, WezTerm), or as sixel graphics " +
      "if the terminal reports them. Otherwise, and for formats that the protocol does not take, there is a line " +
      "of text.",
    "## Leaving",
    "On exit the composer and the status line are removed, and the last lines report the token usage and the " +
      "command that continues the session: `quire resume ID`.",
    "## Colors and notifications",
    "`/theme` selects the colors and saves them as `tui.theme`: `auto` matches the background of the " +
      "terminal, `dark` and `light` are fixed, `ansi` uses the 16 colors of the terminal, `mono` none. `NO_COLOR` has the same effect as `mono`. " +
      "If the terminal is not focused when an approval is pending or a turn ends, it rings the bell and " +
      "shows a desktop notification if the terminal supports it (OSC 9); `tui.notifications` is `true`, `false` or a " +
      "list of `agent-turn-complete` and `approval-requested`. The `notify` program runs as configured.",
    "## Safety of the terminal",
    "Text from a model, a command, a file or a server cannot send control sequences to your terminal: all " +
      "of them are removed before anything is drawn.",
  ].join("\n\n")}\n`;
}

function keyTable(bindings: Readonly<Record<string, KeyBinding>>): string {
  const rows = Object.values(bindings).map((binding) => {
    const names = keyNames(binding);
    return [names === "" ? "not bound" : `\`${names}\``, binding.help];
  });
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
