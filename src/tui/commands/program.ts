import { approvalKeys, type KeyBinding, keyNames, mainKeys, pageKeys } from "../keys.js";
import { needsSignIn } from "../session/sign-in.js";
import { hang } from "../text/layout.js";
import type { View } from "../view.js";
import { type CommandContext, printNotice, type SlashCommand } from "./command.js";

/** `/help` */
export const help: SlashCommand = {
  name: "help",
  summary: "Keyboard shortcuts and commands",
  isAlwaysReady: true,
  async run({ ui, commands }) {
    await ui.pages("Keyboard shortcuts and commands", (view) => helpLines(commands, view));
  },
};

/** `/logout` */
export const logout: SlashCommand = {
  name: "logout",
  summary: "Log out, then sign in again",
  async run(context) {
    const { server } = context;
    const { account } = await server.request("account/read", {});
    await server.request("account/logout", {});
    printNotice(context, account === null ? "You were not signed in" : "Signed out");
    if (await needsSignIn(server)) await context.signIn();
  },
};

/** `/quit` */
export const quit: SlashCommand = {
  name: "quit",
  aliases: ["exit"],
  summary: "Quit",
  isAlwaysReady: true,
  run: ({ quit }: CommandContext) => quit(),
};

/** Renders the help page: keyboard shortcuts and commands. */
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
    ...keys("Keyboard shortcuts", mainKeys),
    "",
    ` ${theme.bold("In a message")}`,
    ...row("@file", "Mention a file: type part of its name"),
    ...row("$skill", "Use a skill"),
    ...row("!command", "Run a command yourself; the agent sees its output"),
    ...row("/command", "Run one of the commands below, or /prompts:NAME"),
    ...keys("In an approval", approvalKeys),
    ...keys("In full-screen pages", pageKeys),
    "",
    ` ${theme.bold("Commands")}`,
    ...commands.flatMap((each) => row(commandUsage(each), each.summary)),
  ];
}

/** Returns the usage of a command, such as `/export [FILE]`. */
export function commandUsage({ name, operands }: SlashCommand): string {
  return operands === undefined ? `/${name}` : `/${name} ${operands}`;
}
