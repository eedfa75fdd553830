import { existsSync } from "node:fs";
import { realpath, stat } from "node:fs/promises";
import { isAbsolute, resolve } from "node:path";
import { CodexError } from "../../protocol/error.js";
import { isRecord } from "../../protocol/read/check.js";
import type { ThreadSection } from "../../protocol/rpc/v2/section.js";
import type { ThreadStatus } from "../../protocol/rpc/v2/status.js";
import type { GitInfo, Thread as WireThread } from "../../protocol/rpc/v2/thread.js";
import type { Turn } from "../../protocol/rpc/v2/turn.js";
import {
  findRollout,
  readLastContext,
  readThreadFacts,
  readThreadNames,
  type ThreadFacts,
} from "../../rollout/index.js";
import type { OrganizedThread } from "../organization/organization.js";
import { organizationPath } from "../organization/path.js";
import type { Server } from "../server.js";
import type { Thread } from "../thread/thread.js";

/** Options for describing a thread. */
interface DescribeOptions {
  turns?: readonly Turn[];
  /** True in a list: the model of a thread that is not loaded is not read from its file, and `canAcceptDirectInput` is not set. */
  isListed?: boolean;
  /** Status of a thread that runs elsewhere. */
  status?: ThreadStatus;
}

/** Describes a live thread. */
export async function describeLive(
  thread: Thread,
  server: Server,
  options: DescribeOptions = {},
): Promise<WireThread> {
  const path = thread.configured.rollout_path;
  const stored = thread.isEphemeral ? undefined : await readStored(server, thread.id, path);
  return describe({ id: thread.id, live: thread, stored }, server, options);
}

/** A thread that is live, stored, or both. */
interface KnownThread {
  id: string;
  live: Thread | undefined;
  stored: StoredThread | undefined;
}

/** Describes a thread in v2. */
export function describe(
  { id, live, stored }: KnownThread,
  server: Server,
  { turns = [], isListed = false, status = statusOf(live, server) }: DescribeOptions = {},
): WireThread {
  const { era } = server.parts;
  const facts = stored?.facts;
  const settings = live?.settings;
  const reads = live === undefined && stored !== undefined && !isListed;
  const last = reads ? readLastContext(stored.path) : undefined;
  const cwd = live?.settings.cwd ?? facts?.cwd ?? "";
  const loadedAtMs = live?.origin.loadedAtMs ?? 0;
  const { agent } = live ?? {};
  const spawned = spawnOf(facts?.source);
  const updatedAt = toSeconds(stored?.updatedAtMs ?? loadedAtMs);
  const thread: WireThread = {
    id,
    environments: live === undefined ? null : [toEnvironment(cwd)],
    extra: null,
    sessionId: agent?.tree.root.threadId ?? spawned?.parent_thread_id ?? id,
    forkedFromId: facts?.forkedFromId ?? live?.copyOf ?? null,
    parentThreadId: agent?.self.parent?.threadId ?? spawned?.parent_thread_id ?? null,
    preview: facts?.preview ?? "",
    ephemeral: live?.isEphemeral ?? false,
    section: stored?.organized?.section ?? null,
    sectionEnteredAt: stored?.organized?.sectionEnteredAt ?? null,
    projectId: (stored === undefined ? live?.projectId : stored.organized?.projectId) ?? null,
    historyMode: "paginated",
    modelProvider: settings?.provider ?? facts?.provider ?? "",
    model: settings?.model ?? last?.model ?? null,
    reasoningEffort: settings?.effort ?? last?.effort ?? null,
    createdAt: createdAt(facts, loadedAtMs),
    updatedAt,
    recencyAt: updatedAt,
    status,
    path: server.fleet ? null : (stored?.path ?? (live?.configured.rollout_path || null)),
    cwd,
    cliVersion: facts?.cliVersion ?? era.compatibleWith,
    originator: facts?.originator ?? live?.origin.originator ?? null,
    source:
      agent === undefined ? toWireSource(facts?.source ?? live?.origin.source) : sourceOf(agent),
    canAcceptDirectInput: isListed || live === undefined ? null : agent === undefined,
    threadSource: agent === undefined ? (live?.purpose ?? null) : "subagent",
    agentNickname: agent?.self.nickname ?? spawned?.agent_nickname ?? null,
    agentRole: agent?.self.role ?? spawned?.agent_role ?? null,
    gitInfo: toGitInfo(facts, stored?.organized?.git),
    name: stored?.name ?? null,
    daybreakEnabled: null,
    turns: turns.map((turn) => turn),
  };
  return thread;
}

/** Returns the source of the live thread of a helper agent. */
function sourceOf({ self }: NonNullable<Thread["agent"]>): unknown {
  const thread_spawn = {
    parent_thread_id: self.parent?.threadId ?? null,
    depth: self.depth,
    agent_path: self.generation === 2 ? self.path : null,
    agent_nickname: self.nickname ?? null,
    agent_role: self.role ?? null,
  };
  return { subAgent: { thread_spawn } };
}

/** Facts about the thread of a helper agent. */
interface Spawned {
  parent_thread_id: string | null;
  agent_nickname: string | null;
  agent_role: string | null;
}

/** Reads the recorded source of a helper agent. */
function spawnOf(source: unknown): Spawned | undefined {
  const agent = isRecord(source) ? source.subagent : undefined;
  const spawned = isRecord(agent) ? agent.thread_spawn : undefined;
  if (!isRecord(spawned)) return undefined;
  const text = (value: unknown) => (typeof value === "string" ? value : null);
  return {
    parent_thread_id: text(spawned.parent_thread_id),
    agent_nickname: text(spawned.agent_nickname),
    agent_role: text(spawned.agent_role),
  };
}

/** Converts the recorded source of a thread to v2. */
function toWireSource(source: unknown): unknown {
  if (source === "mcp") return "appServer";
  if (typeof source === "object" && source !== null && "subagent" in source) {
    return { subAgent: source.subagent };
  }
  return source ?? "unknown";
}

function statusOf(live: Thread | undefined, { feeds }: Server): ThreadStatus {
  if (live === undefined) return { type: "notLoaded" };
  const reported = feeds.find(live.id)?.status;
  if (reported !== undefined) return reported;
  return live.isBusy ? { type: "active", activeFlags: [] } : { type: "idle" };
}

function toEnvironment(cwd: string): NonNullable<WireThread["environments"]>[number] {
  return { environmentId: "local", cwd, runtimeWorkspaceRoots: [cwd] };
}

function createdAt(facts: ThreadFacts | undefined, loadedAtMs: number): number {
  const ms = facts === undefined ? Number.NaN : Date.parse(facts.timestamp);
  return toSeconds(Number.isNaN(ms) ? loadedAtMs : ms);
}

/** Returns the recorded git facts with the changes of clients; `null` if there are none. */
function toGitInfo(facts: ThreadFacts | undefined, edited: ThreadPlace["git"]): GitInfo | null {
  if (facts?.git === undefined && edited === undefined) return null;
  const { commit_hash = null, branch = null, repository_url = null } = facts?.git ?? {};
  const info = { sha: commit_hash, branch, originUrl: repository_url, ...edited };
  const isEmpty = edited !== undefined && Object.values(info).every((fact) => fact === null);
  return isEmpty ? null : info;
}

function toSeconds(ms: number): number {
  return Math.floor(ms / 1000);
}

/** Facts from the file of a thread. */
interface StoredThread {
  path: string;
  /** `undefined` before the first user message. */
  facts: ThreadFacts | undefined;
  updatedAtMs: number;
  name: string | undefined;
  /** Facts that clients have set. */
  organized?: ThreadPlace | undefined;
}

/** Section, project and edited facts of a thread. */
interface ThreadPlace extends Omit<OrganizedThread, "attachments"> {
  section?: ThreadSection | undefined;
}

/**
 * Reads what clients have set for threads; returns a function that looks one up.
 *
 * A damaged file must not hide the threads: the methods that change it report it.
 */
export async function readPlaces({
  home,
  organization,
}: Pick<Server, "home" | "organization">): Promise<(id: string) => ThreadPlace | undefined> {
  if (!existsSync(organizationPath(home))) return () => undefined;
  const state = await organization()
    .read()
    .catch(() => undefined);
  if (state === undefined) return () => undefined;
  const sections = new Map<string, ThreadSection>();
  for (const { threads, ...section } of state.sections.toReversed()) {
    for (const id of threads) sections.set(id, section);
  }
  return (id) => {
    const { attachments: _, ...facts } = state.threads[id] ?? {};
    const section = sections.get(id);
    return section === undefined ? facts : { ...facts, section };
  };
}

/** Reads the facts of a stored thread; `undefined` if there is no such file. */
export async function readStored(
  server: Server,
  id: string,
  path: string,
): Promise<StoredThread | undefined> {
  const stats = await stat(path).catch(() => undefined);
  if (stats === undefined) return undefined;
  const [facts, names, placeOf] = await Promise.all([
    readThreadFacts(path),
    readThreadNames(server.home),
    readPlaces(server),
  ]);
  const organized = placeOf(id);
  return { path, facts, updatedAtMs: stats.mtimeMs, name: names.get(id), organized };
}

/** Finds the file of a thread that is not archived; throws if there is none. */
export async function findFile({ home }: Server, id: string): Promise<string> {
  const path = await findRollout(home, id);
  if (path !== undefined) return path;
  throw new CodexError("not_found", `no rollout found for thread id ${id}`, { data: { id } });
}

/** Finds the file of an archived thread; throws if there is none. */
export async function findArchivedFile({ home }: Server, id: string): Promise<string> {
  const path = await findRollout(home, id, { archived: true });
  if (path !== undefined) return path;
  const message = `no archived rollout found for thread id ${id}`;
  throw new CodexError("not_found", message, { data: { id } });
}

/** Finds the file of a thread, archived or not. */
export async function findAnyFile({ home }: Server, id: string): Promise<string | undefined> {
  return (await findRollout(home, id)) ?? (await findRollout(home, id, { archived: true }));
}

/**
 * Resolves a path from a client, relative to the server's folder; throws if the file does not
 * exist.
 */
export async function resolveFile({ parts }: Server, path: string): Promise<string> {
  const full = isAbsolute(path) ? path : resolve(parts.cwd, path);
  try {
    return await realpath(full);
  } catch {
    const message = `failed to resolve rollout path \`${path}\`: file does not exist`;
    throw new CodexError("not_found", message, { data: { path } });
  }
}
