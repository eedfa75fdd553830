import { commandUsage } from "../../src/tui/commands/program.js";
import { slashCommands } from "../../src/tui/commands/table.js";
import { approvalKeys, type KeyBinding, keyNames, mainKeys, pageKeys } from "../../src/tui/keys.js";
import { scenes } from "../pictures/scenes.js";
import { notice } from "./checks.js";

/** Writes `docs/tui.md`: the keys and commands as the program itself has them. */
export function writeTuiDocs(): string {
  return `${[
    "# In the terminal",
    `<!-- ${notice} -->`,
    "`quire` without a verb works with you in the terminal. Say what to do and press Enter. What the " +
      "agent says, does and changes stays in the scrollback of your terminal; only the last lines, " +
      "with the composer, are drawn anew. It is a client like any other: `quire --remote URL` is the " +
      "same program with a server that runs elsewhere.",
    picture("turn"),
    "## The first time",
    "Without a sign-in it asks where the model comes from: ChatGPT in the browser, a code for another " +
      "device, an API key, a model on this machine, or a demonstration with a scripted model that needs " +
      "nothing. In a folder it has not seen it asks whether you trust what is in it, and remembers the " +
      'answer in `config.toml` (`projects."PATH".trust_level`).',
    "## Keys",
    keyTable(mainKeys),
    "While the agent works, Enter gives your words to the running turn, and Tab keeps them for the next " +
      "one. What still waits when you interrupt comes back to the composer.",
    "## In a message",
    table(
      ["Typed", "What it does"],
      [
        ["`@file`", "Names a file: type some of its letters, Tab takes it"],
        ["`$skill`", "Uses a skill"],
        ["`!command`", "Runs a command yourself; the agent sees what it printed"],
        ["`/command`", "One of the commands below"],
        ["`/prompts:NAME KEY=value`", "One of your saved prompts"],
        ["a pasted text of more than 10 lines", "Is one word until the message is sent"],
        ["the path of a picture, pasted or dropped", "Attaches the picture"],
      ],
    ),
    "## When you are asked",
    picture("approval"),
    "A question shows the whole command, the whole diff or all permissions that are asked for; what does not fit is on the page that `v` " +
      "opens. Characters that a terminal would hide are spelled out (`␛`, `<202E>`). If a question comes " +
      "up while you type, keys count only after a short pause.",
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
    "The whole conversation (Ctrl+T), `/diff` and `/help` open on the whole screen.",
    keyTable(pageKeys),
    "## Colours and notifications",
    "`/theme` chooses the colours and keeps the choice as `tui.theme`: `auto` asks the terminal for its " +
      "background, `dark` and `light` say it, `mono` uses none. `NO_COLOR` does the same as `mono`. " +
      "When the terminal is not in front and something needs you, it rings and shows a note of the " +
      "desktop where the terminal can (OSC 9); `tui.notifications` is `true`, `false` or a list of " +
      "`agent-turn-complete` and `approval-requested`. The program of `notify` is run as always.",
    "## Safety of the terminal",
    "Text from a model, a command, a file or a server cannot send control sequences to your terminal: all " +
      "of them are taken out before anything is drawn.",
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
