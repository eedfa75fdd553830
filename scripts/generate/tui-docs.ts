import { commandUsage } from "../../src/tui/commands/program.js";
import { slashCommands } from "../../src/tui/commands/table.js";
import { approvalKeys, type KeyBinding, keyNames, mainKeys, pageKeys } from "../../src/tui/keys.js";
import { scenes } from "../pictures/scenes.js";
import { notice } from "./checks.js";

/** Writes `docs/tui.md`: the keys and commands as the program itself has them. */
export function writeTuiDocs(): string {
  return `${[
    "# Terminal UI",
    `<!-- ${notice} -->`,
    "`quire` without a command starts an interactive session. Describe a task and press Enter. Messages, " +
      "commands and changes stay in the scrollback of your terminal; only the last lines, with the " +
      "composer, are redrawn. The terminal UI is a client of the app-server: `quire --remote URL` connects " +
      "it to a server that runs elsewhere, and reconnects when that goes away.",
    picture("turn"),
    "## The first start",
    "Without a sign-in it asks which model to use: sign in with ChatGPT in a browser or with a device code, " +
      "an API key, a local model, or a demo with scripted answers that needs neither key nor network. In a " +
      "new folder it asks whether you trust its contents and saves the answer in `config.toml` " +
      '(`projects."PATH".trust_level`).',
    "## Keyboard shortcuts",
    keyTable(mainKeys),
    "While a turn runs, Enter adds the message to it and Tab queues it for the next turn. If you interrupt, " +
      "messages that were not sent return to the composer.",
    "## In a message",
    table(
      ["Typed", "What it does"],
      [
        ["`@file`", "Mentions a file: type part of its name, Tab completes it"],
        ["`$skill`", "Uses a skill"],
        ["`!command`", "Runs a command yourself; the agent sees its output"],
        ["`/command`", "Runs one of the commands below"],
        ["`/prompts:NAME KEY=value`", "Sends one of your saved prompts"],
        ["a pasted text of more than 10 lines", "Is shown as one word until the message is sent"],
        ["the path of an image, pasted or dropped", "Attaches the image"],
      ],
    ),
    "## Approvals",
    picture("approval"),
    "An approval shows the command, the diff or the permissions that are requested. The question and all " +
      "choices always fit the screen; a long command is folded, and `v` shows all of it. Characters that a " +
      "terminal would hide are spelled out (`␛`, `<202E>`). If an approval comes up while you type, keys " +
      "count only after a short pause. A lasting rule (`p`) allows every command that starts with the words " +
      "shown; it is not offered for scripts of several lines, nor for interpreters and wrappers such as " +
      "`bash`, `python` or `sudo`, which could run anything.",
    keyTable(approvalKeys),
    "## Commands",
    picture("commands"),
    table(
      ["Command", "What it does"],
      slashCommands.map((command) => {
        const others = (command.aliases ?? []).map((name) => `\`/${name}\``).join(", ");
        return [
          `\`${commandUsage(command)}\``,
          `${command.summary}${others === "" ? "" : ` (also ${others})`}`,
        ];
      }),
    ),
    "Your saved prompts are commands too: `/prompts:NAME`; see [prompts and skills](prompts-and-skills.md).",
    "## Pages",
    "The whole session (Ctrl+T), `/diff` and `/help` open on the whole screen.",
    keyTable(pageKeys),
    "## Leaving",
    "On exit the composer and the status line are removed, and the last lines report the token usage and the " +
      "command that continues the session: `quire resume ID`.",
    "## Colors and notifications",
    "`/theme` chooses the colors and saves them as `tui.theme`: `auto` asks the terminal for its " +
      "background, `dark` and `light` set it, `mono` uses none. `NO_COLOR` has the same effect as `mono`. " +
      "If the terminal is not focused and an approval or a finished turn needs you, it rings and shows a " +
      "desktop notification where the terminal can (OSC 9); `tui.notifications` is `true`, `false` or a " +
      "list of `agent-turn-complete` and `approval-requested`. The `notify` program runs as configured.",
    "## Safety of the terminal",
    "Text from a model, a command, a file or a server cannot send control sequences to your terminal: all " +
      "of them are removed before anything is drawn.",
  ].join("\n\n")}\n`;
}

function keyTable(bindings: Readonly<Record<string, KeyBinding>>): string {
  const rows = Object.values(bindings).map((binding) => [`\`${keyNames(binding)}\``, binding.help]);
  return table(["Key", "What it does"], rows);
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
