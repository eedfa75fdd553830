import { basename } from "node:path";
import { isUuid } from "../../lib/ids.js";
import { programName } from "../../lib/program-name.js";
import { inputText } from "../cells/user.js";
import { shortHome } from "../lines/footer.js";
import type { Choice } from "../overlays/picker.js";
import { agoText } from "../text/numbers.js";
import { oneLine } from "../text/sanitize.js";
import type { WireItem, WireThread } from "../wire.js";
import { type CommandContext, printError } from "./command.js";

/** Sources of the sessions that a user can resume, including non-interactive ones. */
export const everySource: ("cli" | "vscode" | "exec" | "appServer")[] = [
  "cli",
  "vscode",
  "exec",
  "appServer",
];

type PickContext = Pick<CommandContext, "ui" | "server" | "session">;

/** Lets the user pick an earlier thread; resolves with undefined if there is none or on cancel. */
export async function pickThread(
  context: PickContext,
  { isEverywhere, hasAllSources = false }: { isEverywhere: boolean; hasAllSources?: boolean },
): Promise<string | undefined> {
  const { ui, server, session } = context;
  const here = session.conversation.status.settings?.cwd ?? ui.cwd;
  const place = isEverywhere || here === "" ? {} : { cwd: here };
  const sources = hasAllSources ? { sourceKinds: everySource } : {};
  const params = { limit: 100, sortKey: "updated_at" as const, ...place, ...sources };
  const { data } = await server.request("thread/list", params);
  const threads = new Map<string, WireThread>();
  const toChoice = (thread: WireThread, snippet?: string): Choice<string> => {
    threads.set(thread.id, thread);
    return { value: thread.id, ...threadText(thread, threads, snippet) };
  };
  for (const thread of data) threads.set(thread.id, thread);
  const current = session.conversation.status.threadId;
  const choices = data.filter(({ id }) => id !== current).map((thread) => toChoice(thread));
  if (choices.length === 0 && !isEverywhere) {
    return pickThread(context, { isEverywhere: true, hasAllSources });
  }
  if (choices.length === 0) {
    printError(context, "There is no earlier session yet");
    return undefined;
  }
  return ui.pick({
    title: isEverywhere ? "Select a session" : "Select a session from this folder",
    text: "The search also finds what was said, in the sessions of all folders.",
    choices,
    isSearched: true,
    preview: (id) => previewOf(context, threads.get(id)),
    async *find(searchTerm, signal) {
      for await (const found of findThreads(context, { searchTerm, ...sources }, signal)) {
        const others = found.filter(({ thread }) => thread.id !== current);
        yield others.map(({ thread, snippet }) => toChoice(thread, snippet));
      }
    },
  });
}

/** A thread that was searched for, with a part of the message that was found. */
interface FoundThread {
  thread: WireThread;
  snippet?: string;
}

/** Yields threads with a text in their name, then those with it in their messages. */
async function* findThreads(
  { server }: PickContext,
  params: { searchTerm: string; sourceKinds?: typeof everySource },
  signal: AbortSignal,
): AsyncGenerator<FoundThread[]> {
  await new Promise((resolve) => setTimeout(resolve, typingMs));
  if (signal.aborted) return;
  const named = { ...params, limit: mostFound, sortKey: "updated_at" as const };
  const { data } = await server.request("thread/list", named);
  yield data.map((thread) => ({ thread }));
  let left = mostFound;
  for (let at: { cursor?: string } | undefined = {}; at !== undefined && left > 0; ) {
    if (signal.aborted) return;
    const page: SearchedPage = await server.request("thread/search", {
      ...params,
      ...at,
      limit: left,
    });
    yield page.data;
    left -= page.data.length;
    // In a home of very many threads a page ends early.
    at = page.nextCursor ? { cursor: page.nextCursor } : undefined;
  }
}

/** A part of the threads that contain a text. */
interface SearchedPage {
  data: FoundThread[];
  nextCursor?: string | null;
}

const mostFound = 20;
/** A search begins when the user has stopped typing. */
const typingMs = 150;

/** Returns the name of a thread, or the start of its first message. */
function titleOf({ name, preview, id }: WireThread): string {
  return oneLine(name || preview || id)
    .replace(/\s+/g, " ")
    .slice(0, 60);
}

function threadText(
  thread: WireThread,
  all: ReadonlyMap<string, WireThread>,
  snippet: string | undefined,
): { label: string; description: string } {
  const age = agoText(Date.now() - (thread.updatedAt ?? thread.createdAt ?? 0) * 1000);
  const parent = all.get(thread.forkedFromId ?? "");
  const fork = thread.forkedFromId
    ? `fork of ${parent === undefined ? "another session" : titleOf(parent)}`
    : "";
  const facts = [age, thread.gitInfo?.branch, basename(thread.cwd ?? ""), fork, snippet];
  const label = `${thread.forkedFromId ? "⑂ " : ""}${titleOf(thread)}`;
  return { label, description: facts.filter(Boolean).join(" · ") };
}

/** Returns facts about a thread and its last messages. */
async function previewOf({ server }: PickContext, thread?: WireThread): Promise<string[]> {
  if (thread === undefined) return [];
  const params = { threadId: thread.id, limit: 2, itemsView: "summary" as const };
  const { data } = await server.request("thread/turns/list", params);
  const messages = [...data]
    .reverse()
    .flatMap(({ items }) => (items as WireItem[]).flatMap(messageOf));
  const facts = [shortHome(thread.cwd ?? ""), thread.gitInfo?.branch, thread.model, thread.id];
  return [facts.filter(Boolean).join(" · "), ...messages];
}

function messageOf(item: WireItem): string[] {
  if (item.type === "userMessage") return [`› ${inputText(item.content)}`];
  return item.type === "agentMessage" ? [`• ${item.text}`] : [];
}

/** Resolves an id, or else the name that the user gave a thread. */
export async function namedThread(
  { server }: Pick<CommandContext, "server">,
  name: string,
): Promise<string> {
  if (isUuid(name)) return name;
  const params = { searchTerm: name, sortKey: "updated_at" as const };
  const { data } = await server.request("thread/list", params);
  const found = data.find((thread) => thread.name === name);
  if (found !== undefined) return found.id;
  throw new Error(
    `No session is named ${JSON.stringify(name)}. \`${programName()} sessions list\` lists all ids`,
  );
}
