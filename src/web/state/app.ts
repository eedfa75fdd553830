import { batch, computed, signal } from "@preact/signals";
import type { AppServerClient, ServerNotification } from "../../client/index.js";
import type { Model } from "../../protocol/rpc/v2/model.js";
import type { ThreadReadState } from "../../protocol/rpc/v2/read-state.js";
import type { Thread } from "../../protocol/rpc/v2/thread.js";
import { line, stayConnected } from "./connection.js";
import { requestHandlers, waitingThreads } from "./requests.js";
import { ThreadView } from "./thread-view.js";

/** The connection, while there is one. */
export const client = signal<AppServerClient | undefined>(undefined);
/** Recorded threads, the last updated first. */
export const threads = signal<readonly Thread[]>([]);
export const hasLoadedThreads = signal(false);
export const models = signal<readonly Model[]>([]);
/** Thread of the address; undefined for a new one. */
export const openThreadId = signal<string | undefined>(threadInAddress());
const readStates = signal<ReadonlyMap<string, ThreadReadState>>(new Map());
/** Threads with turns that the user has not seen. */
export const unreadThreads = computed(
  () =>
    new Set([...readStates.value].flatMap(([id, one]) => (one.firstUnread === null ? [] : [id]))),
);
/** Folder of new threads. */
export const serverCwd = signal("");

const views = new Map<string, ThreadView>();

/** The open thread; undefined for a new one. */
export const openView = computed(() =>
  openThreadId.value === undefined ? undefined : viewOf(openThreadId.value),
);

/** Connects, and keeps the state up to date until the device is revoked. */
export function start(): Promise<void> {
  window.addEventListener("hashchange", () => {
    openThreadId.value = threadInAddress();
    openCurrent();
  });
  return stayConnected({
    handlers: requestHandlers,
    onNotification: applyNotification,
    async onConnected(connected) {
      client.value = connected;
      await Promise.all([
        loadThreads(),
        openThreadId.value === undefined ? undefined : viewOf(openThreadId.value).open(connected),
      ]);
      void loadServerFacts(connected);
      // Other opened threads continue too; their questions are shown in the list.
      for (const view of views.values()) {
        if (view.id !== openThreadId.value) void view.open(connected);
      }
    },
    onLost() {
      client.value = undefined;
    },
  });
}

/** Opens a thread, or the page for a new one, and puts it into the address. */
export function goTo(threadId: string | undefined): void {
  const hash = threadId === undefined ? "" : `#thread=${threadId}`;
  history.pushState(null, "", `${location.pathname}${hash}`);
  openThreadId.value = threadId;
  openCurrent();
}

/** Sends a request; rejects if there is no connection. */
export const request: AppServerClient["request"] = (method, params, signal) => {
  if (client.value === undefined) return Promise.reject(new Error("There is no connection"));
  return client.value.request(method, params, signal);
};

/** Adds a thread that was started here, and opens it. */
export function adopt(threadId: string): ThreadView {
  const view = viewOf(threadId);
  if (client.value !== undefined) void view.open(client.value);
  goTo(view.id);
  return view;
}

/** Reads the list of threads again. */
export async function loadThreads(): Promise<void> {
  const page = await request("thread/list", {
    limit: 200,
    sortKey: "updated_at",
    sourceKinds: ["cli", "vscode", "exec", "appServer", "unknown"],
  });
  batch(() => {
    threads.value = page.data;
    hasLoadedThreads.value = true;
    readStates.value = new Map(Object.entries(page.readStates));
  });
  markRead();
}

/** Marks the open thread as read, if the user can see it. */
function markRead(): void {
  const threadId = openThreadId.value;
  const state = threadId === undefined ? undefined : readStates.value.get(threadId);
  if (threadId === undefined || state?.firstUnread == null || document.hidden) return;
  const operation = { type: "read" as const };
  const params = { threadId, operation, expectedRevision: state.revision };
  // Another device may have been faster.
  request("thread/readState/update", params).catch(() => undefined);
}

function openCurrent(): void {
  const view = openView.value;
  if (view?.state.value === "loading" && client.value !== undefined) void view.open(client.value);
  closeIdle();
  markRead();
}

/** Closes threads that were not opened for long, unless they are running. */
function closeIdle(): void {
  for (const [id, view] of views) {
    if (views.size <= mostViews) return;
    const isWaiting = waitingThreads.value.has(id);
    if (id === openThreadId.value || isWaiting || view.runningTurn.value !== undefined) continue;
    views.delete(id);
    request("thread/unsubscribe", { threadId: id }).catch(() => undefined);
  }
}

const mostViews = 8;

function viewOf(id: string): ThreadView {
  const view = views.get(id) ?? new ThreadView(id);
  views.delete(id); // the last used is the last in the map
  views.set(id, view);
  return view;
}

async function loadServerFacts(connected: AppServerClient): Promise<void> {
  const [list, environment] = await Promise.all([
    connected.request("model/list", {}).catch(() => undefined),
    connected.request("environment/info", { environmentId: "local" }).catch(() => undefined),
  ]);
  if (list !== undefined) models.value = list.data.filter(({ hidden }) => !hidden);
  if (environment !== undefined)
    serverCwd.value = decodeURI(environment.cwd.replace(/^file:\/\//, ""));
}

function applyNotification(notification: ServerNotification): void {
  const { method, params } = notification;
  const threadId = "threadId" in params ? params.threadId : undefined;
  if (typeof threadId === "string") views.get(threadId)?.apply(notification);
  switch (method) {
    case "thread/status/changed":
      changeThread(params.threadId, { status: params.status });
      if (params.status.type === "active") return;
      reloadSoon();
      return;
    case "thread/name/updated":
      changeThread(params.threadId, { name: params.threadName ?? null });
      return;
    case "thread/archived":
    case "thread/deleted":
      threads.value = threads.value.filter(({ id }) => id !== params.threadId);
      return;
    case "thread/started":
    case "thread/unarchived":
    case "turn/completed":
    case "turn/started":
      reloadSoon();
      return;
    case "thread/readState/changed": {
      readStates.value = new Map(readStates.value).set(params.threadId, params.readState);
      markRead();
      return;
    }
  }
}

function changeThread(id: string, change: Partial<Thread>): void {
  threads.value = threads.value.map((thread) =>
    thread.id === id ? { ...thread, ...change } : thread,
  );
}

let isReloading = false;

/** Reads the list once for many changes. */
function reloadSoon(): void {
  if (isReloading) return;
  isReloading = true;
  setTimeout(() => {
    isReloading = false;
    if (line.value.type === "connected") loadThreads().catch(() => undefined);
  }, 300);
}

function threadInAddress(): string | undefined {
  return new URLSearchParams(location.hash.slice(1)).get("thread") ?? undefined;
}
