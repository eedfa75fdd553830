import { approvalKeys, type KeyBinding, keyNames, mainKeys, pageKeys } from "../keys.js";
import { needsSignIn } from "../session/sign-in.js";
import { hang } from "../text/layout.js";
import type { ThemeChoice } from "../theme/choose.js";
import type { View } from "../view.js";
import type { CommandContext, SlashCommand } from "./command.js";
import { complain, say } from "./notices.js";

/** Chooses the colours. */
export const theme: SlashCommand = {
  name: "theme",
  summary: "Choose the colours",
  operands: "[auto|dark|light|mono]",
  isAlwaysReady: true,
  async run(context, operands) {
    const { ui, server, chooseTheme } = context;
    const choices: { value: ThemeChoice; label: string; description: string }[] = [
      { value: "auto", label: "auto", description: "as the terminal says" },
      { value: "dark", label: "dark", description: "for a dark background" },
      { value: "light", label: "light", description: "for a light background" },
      { value: "mono", label: "mono", description: "no colours" },
    ];
    const named = choices.find(({ value }) => value === operands)?.value;
    if (operands !== "" && named === undefined) {
      complain(context, `There is no theme ${operands}: auto, dark, light or mono`);
      return;
    }
    const chosen = named ?? (await ui.pick({ title: "Which colours?", choices }));
    if (chosen === undefined) return;
    chooseTheme(chosen);
    const edit = { keyPath: "tui.theme", value: chosen, mergeStrategy: "replace" } as const;
    await server.request("config/value/write", edit).catch((error: unknown) => {
      complain(context, "The colours could not be saved", error);
    });
  },
};

/** Shows keys and commands. */
export const help: SlashCommand = {
  name: "help",
  summary: "Keys and commands",
  isAlwaysReady: true,
  async run({ ui, commands }) {
    await ui.pages("Keys and commands", (view) => helpLines(commands, view));
  },
};

/** Forgets the sign-in. */
export const logout: SlashCommand = {
  name: "logout",
  summary: "Forget the sign-in, and sign in anew",
  async run(context) {
    const { server } = context;
    const { account } = await server.request("account/read", {});
    await server.request("account/logout", {});
    say(context, account === null ? "Nobody was signed in" : "Signed out");
    if (await needsSignIn(server)) await context.signIn();
  },
};

/** Ends the program. */
export const quit: SlashCommand = {
  name: "quit",
  aliases: ["exit"],
  summary: "End the program",
  isAlwaysReady: true,
  run: ({ quit }: CommandContext) => quit(),
};

/** The help page: what the keys do, and the commands. */
function helpLines(commands: readonly SlashCommand[], view: View): string[] {
  const { theme, width } = view;
  const row = (name: string, text: string) =>
    hang(text, width, `  ${theme.name(name.padEnd(31))} `);
  const keys = (title: string, bindings: Readonly<Record<string, KeyBinding>>) => [
    "",
    ` ${theme.bold(title)}`,
    ...Object.values(bindings).flatMap((binding) => row(keyNames(binding), binding.help)),
  ];
  return [
    ...keys("Keys", mainKeys),
    "",
    ` ${theme.bold("In a message")}`,
    ...row("@file", "Names a file: type some of its letters"),
    ...row("$skill", "Uses a skill"),
    ...row("!command", "Runs a command yourself; the agent sees what it printed"),
    ...row("/command", "One of those below, or /prompts:NAME"),
    ...keys("When you are asked", approvalKeys),
    ...keys("In pages such as this one", pageKeys),
    "",
    ` ${theme.bold("Commands")}`,
    ...commands.flatMap((each) => row(commandUsage(each), each.summary)),
  ];
}

/** How a command is typed. */
export function commandUsage({ name, operands }: SlashCommand): string {
  return operands === undefined ? `/${name}` : `/${name} ${operands}`;
}
