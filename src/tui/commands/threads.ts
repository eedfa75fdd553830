import { programName } from "../../lib/program-name.js";
import { agoText } from "../text/numbers.js";
import type { WireThread } from "../wire.js";
import { type CommandContext, printError, printNotice, type SlashCommand } from "./command.js";

/** `/new` */
export const newThread: SlashCommand = {
  name: "new",
  aliases: ["clear"],
  summary: "Start a new session",
  run: ({ session }) => session.start(),
};

/** `/resume` */
export const resume: SlashCommand = {
  name: "resume",
  summary: "Resume an earlier session",
  operands: "[ID]",
  async run(context, operands) {
    const id = operands || (await pickThread(context, { isEverywhere: false }));
    if (id !== undefined) await context.session.resume(id);
  },
};

/** `/fork` */
export const fork: SlashCommand = {
  name: "fork",
  summary: "Fork this session",
  run: ({ session }) => session.fork(session.threadId),
};

/** `/rename` */
export const rename: SlashCommand = {
  name: "rename",
  summary: "Rename this session",
  operands: "[NAME]",
  isAlwaysReady: true,
  async run(context, operands) {
    const { ui, session } = context;
    const { status } = context.session.conversation;
    const initial = status.threadName === undefined ? {} : { initial: status.threadName };
    const name = operands || (await ui.question({ title: "Session name", ...initial }))?.trim();
    if (!name) return;
    await session.ask("thread/name/set", { name });
    status.threadName = name;
    printNotice(context, `Renamed to ${name}`);
  },
};

/** `/archive` */
export const archive: SlashCommand = {
  name: "archive",
  summary: "Archive this session and start a new one",
  async run(context) {
    const { session } = context;
    const old = session.threadId;
    await session.ask("thread/archive", {});
    printNotice(
      context,
      "Session archived",
      `Restore it with \`${programName()} unarchive ${old}\``,
    );
    await session.start();
  },
};

/** Sources of the sessions that a user can resume, including non-interactive ones. */
export const everySource: ("cli" | "vscode" | "exec" | "appServer")[] = [
  "cli",
  "vscode",
  "exec",
  "appServer",
];

/** Lets the user pick an earlier thread; resolves with undefined if there is none or on cancel. */
export async function pickThread(
  context: Pick<CommandContext, "ui" | "server" | "session">,
  { isEverywhere, hasAllSources = false }: { isEverywhere: boolean; hasAllSources?: boolean },
): Promise<string | undefined> {
  const { ui, server, session } = context;
  const here = session.conversation.status.settings?.cwd ?? ui.cwd;
  const place = isEverywhere || here === "" ? {} : { cwd: here };
  const sources = hasAllSources ? { sourceKinds: everySource } : {};
  const params = { limit: 100, sortKey: "updated_at" as const, ...place, ...sources };
  const { data } = await server.request("thread/list", params);
  const choices = data
    .filter(({ id }) => id !== session.conversation.status.threadId)
    .map((thread) => ({ value: thread.id, ...threadText(thread, Date.now()) }));
  if (choices.length === 0 && !isEverywhere) {
    return pickThread(context, { isEverywhere: true, hasAllSources });
  }
  if (choices.length === 0) {
    printError(context, "There is no earlier session yet");
    return undefined;
  }
  const title = isEverywhere ? "Select a session" : "Select a session from this folder";
  return ui.pick({ title, choices, isSearched: true });
}

function threadText(thread: WireThread, now: number): { label: string; description: string } {
  const seconds = thread.updatedAt ?? thread.createdAt ?? 0;
  const branch = thread.gitInfo?.branch ? ` · ${thread.gitInfo.branch}` : "";
  const label = (thread.name || thread.preview || thread.id).replace(/\s+/g, " ").slice(0, 60);
  return { label, description: `${agoText(now - seconds * 1000)}${branch} · ${thread.cwd ?? ""}` };
}
