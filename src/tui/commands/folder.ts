import { homedir } from "node:os";
import { isAbsolute, join, resolve } from "node:path";
import { type CommandContext, printError, printNotice, type SlashCommand } from "./command.js";

/** `/pwd` */
export const pwd: SlashCommand = {
  name: "pwd",
  summary: "Show the folder that the agent works in",
  isAlwaysReady: true,
  run: (context) => printNotice(context, folderOf(context)),
};

/** `/cd` */
export const cd: SlashCommand = {
  name: "cd",
  summary: "Change the folder that the agent works in",
  operands: "FOLDER",
  async run(context, operands) {
    const { server, session, ui } = context;
    if (operands === "") return printError(context, "Expected a folder, for example /cd src");
    const typed = operands.replace(/^~(?=\/|$)/, homedir());
    const path = isAbsolute(typed) ? resolve(typed) : join(folderOf(context), typed);
    const found = await server.request("fs/getMetadata", { path }).catch(() => undefined);
    if (found === undefined) return printError(context, `There is no folder ${path}`);
    if (!found.isDirectory) return printError(context, `${path} is a file, not a folder`);
    session.override({ cwd: path });
    ui.cwd = path;
    printNotice(context, `Folder from the next turn on: ${path}`);
  },
};

function folderOf({ session, ui }: CommandContext): string {
  return session.conversation.status.settings?.cwd ?? ui.cwd;
}
