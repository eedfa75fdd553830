import type { ThreadStatus } from "../../../protocol/rpc/v2/status.js";
import type { GitInfo, Thread as WireThread } from "../../../protocol/rpc/v2/thread.js";
import type { Turn } from "../../../protocol/rpc/v2/turn.js";
import type { ThreadFacts } from "../../../rollout/index.js";
import { toEraTurn } from "../../feed/projection.js";
import type { Server } from "../../server.js";
import type { Thread } from "../../thread/index.js";
import { toEraFields } from "../era-fields.js";
import { readStored, type StoredThread } from "./stored.js";

/** What else an answer about a thread is to say. */
export interface DescribeOptions {
  turns?: readonly Turn[];
  /** It stands in a list, where it is not said whether it takes input. */
  isListed?: boolean;
}

/** A live thread as v2 shows it. */
export async function describeLive(
  thread: Thread,
  server: Server,
  options: DescribeOptions = {},
): Promise<WireThread> {
  const path = thread.configured.rollout_path;
  const stored = thread.isEphemeral ? undefined : await readStored(server, thread.id, path);
  return describe({ id: thread.id, live: thread, stored }, server, options);
}

/** What is known of a thread: that it lives, what its file tells, or both. */
export interface KnownThread {
  id: string;
  live: Thread | undefined;
  stored: StoredThread | undefined;
}

/** A thread as v2 shows it, in the form of the era. */
export function describe(
  { id, live, stored }: KnownThread,
  server: Server,
  { turns = [], isListed = false }: DescribeOptions = {},
): WireThread {
  const { era } = server.parts;
  const facts = stored?.facts;
  const settings = live?.settings;
  const cwd = live?.settings.cwd ?? facts?.cwd ?? "";
  const loadedAtMs = live?.origin.loadedAtMs ?? 0;
  const updatedAt = toSeconds(stored?.updatedAtMs ?? loadedAtMs);
  const thread: WireThread = {
    id,
    environments: live === undefined ? null : [toEnvironment(cwd)],
    extra: null,
    sessionId: id,
    forkedFromId: facts?.forkedFromId ?? live?.copyOf ?? null,
    parentThreadId: null,
    preview: facts?.preview ?? "",
    ephemeral: live?.isEphemeral ?? false,
    section: null,
    sectionEnteredAt: null,
    projectId: null,
    historyMode: "paginated",
    modelProvider: settings?.provider ?? facts?.provider ?? "",
    model: settings?.model ?? null,
    reasoningEffort: settings?.effort ?? null,
    createdAt: createdAt(facts, loadedAtMs),
    updatedAt,
    recencyAt: updatedAt,
    status: statusOf(live, server),
    path: stored?.path ?? (live?.configured.rollout_path || null),
    cwd,
    cliVersion: facts?.cliVersion ?? era.compatibleWith,
    originator: facts?.originator ?? live?.origin.originator ?? null,
    source: toWireSource(facts?.source ?? live?.origin.source),
    canAcceptDirectInput: isListed ? null : live !== undefined,
    threadSource: live?.purpose ?? null,
    agentNickname: null,
    agentRole: null,
    gitInfo: toGitInfo(facts),
    name: stored?.name ?? null,
    daybreakEnabled: null,
    turns: turns.map((turn) => toEraTurn(turn, era.v2)),
  };
  return toEraFields(thread, era.v2.lacks.Thread);
}

/** What kind of program began a thread, in the words of v2. */
function toWireSource(source: unknown): unknown {
  if (source === "mcp") return "appServer";
  if (typeof source === "object" && source !== null && "subagent" in source) {
    return { subAgent: source.subagent };
  }
  return source ?? "unknown";
}

function statusOf(live: Thread | undefined, { feeds }: Server): ThreadStatus {
  if (live === undefined) return { type: "notLoaded" };
  const told = feeds.find(live.id)?.status;
  if (told !== undefined) return told;
  return live.isBusy ? { type: "active", activeFlags: [] } : { type: "idle" };
}

function toEnvironment(cwd: string): NonNullable<WireThread["environments"]>[number] {
  return { environmentId: "local", cwd, runtimeWorkspaceRoots: [cwd] };
}

function createdAt(facts: ThreadFacts | undefined, loadedAtMs: number): number {
  const ms = facts === undefined ? Number.NaN : Date.parse(facts.timestamp);
  return toSeconds(Number.isNaN(ms) ? loadedAtMs : ms);
}

function toGitInfo(facts: ThreadFacts | undefined): GitInfo | null {
  if (facts?.git === undefined) return null;
  const { commit_hash, branch, repository_url } = facts.git;
  return { sha: commit_hash ?? null, branch: branch ?? null, originUrl: repository_url ?? null };
}

function toSeconds(ms: number): number {
  return Math.floor(ms / 1000);
}
