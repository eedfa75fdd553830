import { join } from "node:path";
import { editOutside, editorCommand } from "../host/handoff.js";
import { shortHome } from "../lines/footer.js";
import type { Choice } from "../overlays/picker.js";
import { type CommandContext, printError, printNotice, type SlashCommand } from "./command.js";

/** `/memories` */
export const memories: SlashCommand = {
  name: "memories",
  summary: "Show and edit what every session remembers: the AGENTS.md files",
  isAlwaysReady: true,
  async run(context) {
    const { ui } = context;
    const path = await ui.pick({
      title: "What sessions remember",
      text: "These files are read at the start of every session. Summaries of earlier sessions need a service of the vendor, and are not kept here.",
      choices: choicesOf(context),
      preview: async (file) => ((await readText(context, file)) ?? "(not written yet)").split("\n"),
    });
    if (path !== undefined) await edit(context, path);
  },
};

function choicesOf({ host, session, ui }: CommandContext): Choice<string>[] {
  const { instructionSources, settings } = session.conversation.status;
  const cwd = settings?.cwd ?? ui.cwd;
  const own = host.instructionsFile?.();
  const offered = [own, join(cwd, "AGENTS.md")].filter((path) => path !== undefined);
  const paths = new Set([...instructionSources, ...offered]);
  return [...paths].map((path) => ({
    value: path,
    label: shortHome(path),
    description: [
      path === own ? "for all projects" : "for this project",
      instructionSources.includes(path) ? "" : "not in use yet",
    ]
      .filter(Boolean)
      .join(", "),
  }));
}

async function readText({ server }: CommandContext, path: string): Promise<string | undefined> {
  const read = await server.request("fs/readFile", { path }).catch(() => undefined);
  return read && Buffer.from(read.dataBase64, "base64").toString("utf8");
}

async function edit(context: CommandContext, path: string): Promise<void> {
  const { host, server, ui } = context;
  const command = editorCommand(host.env);
  if (command === undefined) {
    return printError(
      context,
      `No editor is set. Set VISUAL or EDITOR, or edit ${shortHome(path)} yourself`,
    );
  }
  const before = await readText(context, path);
  const text = await editOutside(ui.screen, before ?? "", command);
  if (text === undefined || text === (before ?? "").replace(/\n+$/, "")) {
    return printNotice(context, `${shortHome(path)} is unchanged`);
  }
  const dataBase64 = Buffer.from(`${text}\n`).toString("base64");
  await server.request("fs/writeFile", { path, dataBase64 });
  printNotice(context, `Saved ${shortHome(path)}`, "Sessions that start from now on read it: /new");
}
