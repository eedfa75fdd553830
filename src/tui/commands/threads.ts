import { programName } from "../../lib/program-name.js";
import { agoText } from "../text/numbers.js";
import type { WireThread } from "../wire.js";
import { type CommandContext, complain, type SlashCommand, say } from "./command.js";

/** Begins another conversation. */
export const newThread: SlashCommand = {
  name: "new",
  aliases: ["clear"],
  summary: "Start a new session",
  run: ({ session }) => session.start(),
};

/** Goes on with an earlier conversation. */
export const resume: SlashCommand = {
  name: "resume",
  summary: "Resume an earlier session",
  operands: "[ID]",
  async run(context, operands) {
    const id = operands || (await pickThread(context, { isEverywhere: false }));
    if (id !== undefined) await context.session.resume(id);
  },
};

/** Copies the conversation, so that both can go on. */
export const fork: SlashCommand = {
  name: "fork",
  summary: "Fork this session",
  run: ({ session }) => session.fork(session.threadId),
};

/** Gives the conversation a name. */
export const rename: SlashCommand = {
  name: "rename",
  summary: "Rename this session",
  operands: "[NAME]",
  isAlwaysReady: true,
  async run(context, operands) {
    const { ui, session } = context;
    const { status } = context.session.conversation;
    const initial = status.threadName === undefined ? {} : { initial: status.threadName };
    const name =
      operands || (await ui.question({ title: "Name of this session", ...initial }))?.trim();
    if (!name) return;
    await session.ask("thread/name/set", { name });
    status.threadName = name;
    say(context, `Renamed to ${name}`);
  },
};

/** Puts the conversation away and begins another. */
export const archive: SlashCommand = {
  name: "archive",
  summary: "Archive this session and start a new one",
  async run(context) {
    const { session } = context;
    const old = session.threadId;
    await session.ask("thread/archive", {});
    say(context, "Session archived", `Restore it with \`${programName()} unarchive ${old}\``);
    await session.start();
  },
};

/** The sources of sessions that a user can resume, those without a terminal included. */
export const everySource: ("cli" | "vscode" | "exec" | "appServer")[] = [
  "cli",
  "vscode",
  "exec",
  "appServer",
];

/** Lets the user choose an earlier conversation; nothing when there is none or they go back. */
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
    complain(context, "There is no earlier session yet");
    return undefined;
  }
  const title = isEverywhere ? "Select a session" : "Select a session of this folder";
  return ui.pick({ title, choices, isSearched: true });
}

function threadText(thread: WireThread, now: number): { label: string; description: string } {
  const seconds = thread.updatedAt ?? thread.createdAt ?? 0;
  const branch = thread.gitInfo?.branch ? ` · ${thread.gitInfo.branch}` : "";
  const label = (thread.name || thread.preview || thread.id).replace(/\s+/g, " ").slice(0, 60);
  return { label, description: `${agoText(now - seconds * 1000)}${branch} · ${thread.cwd ?? ""}` };
}
