import { batch, computed, effect, signal } from "@preact/signals";
import type { AppServerClient, ParamsOf, ServerNotification } from "../../client/index.js";
import type { Model } from "../../protocol/rpc/v2/model.js";
import type { ThreadReadState } from "../../protocol/rpc/v2/read-state.js";
import type { Thread } from "../../protocol/rpc/v2/thread.js";
import { threadStatuses } from "./agents.js";
import { loadConfigured } from "./configured.js";
import { line, stayConnected } from "./connection.js";
import { noticesOf } from "./notices.js";
import { shownFolder } from "./paths.js";
import { warn } from "./problem.js";
import { requestHandlers, requests, waitingThreads } from "./requests.js";
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
  effect(() => {
    shownFolder.value = openView.value?.settings.value?.cwd;
  });
  window.addEventListener("hashchange", () => {
    openThreadId.value = threadInAddress();
    openCurrent();
  });
  return stayConnected({
    handlers: requestHandlers,
    onNotification: applyNotification,
    async onConnected(connected) {
      client.value = connected;
      loadThreads().catch((error: unknown) => console.warn(error)); // the list may be long
      previewThreads(connected).catch(() => undefined);
      if (openThreadId.value !== undefined) await viewOf(openThreadId.value).open(connected);
      void loadServerFacts(connected);
      // Other opened threads continue too; their questions are shown in the list.
      for (const view of views.values()) {
        if (view.id !== openThreadId.value) void view.open(connected);
      }
    },
    onLost() {
      client.value = undefined;
      requests.value = []; // the next connection asks again
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

/** Shows a thread that was started here, before the list has it. */
export function addThread(thread: Thread): void {
  threads.value = [thread, ...threads.value.filter(({ id }) => id !== thread.id)];
}

/** Reads the beginning of the list of threads again; what was loaded behind it stays. */
export async function loadThreads(): Promise<void> {
  const load = ++lastLoad;
  const page = await request("thread/list", listParams);
  if (load !== lastLoad) return; // a later one knows more
  const ids = new Set(page.data.map(({ id }) => id));
  const others = threads.value.filter(({ id }) => !ids.has(id));
  const oldest = page.data.at(-1)?.updatedAt ?? 0;
  batch(() => {
    threads.value = [
      ...others.filter(({ id }) => id === openThreadId.value),
      ...page.data,
      ...others.filter(({ id, updatedAt }) => id !== openThreadId.value && updatedAt < oldest),
    ];
    if (!hasLoadedThreads.value) moreThreads.value = page.nextCursor;
    hasLoadedThreads.value = true;
    readStates.value = new Map([...readStates.value, ...Object.entries(page.readStates)]);
  });
  markRead();
}

let lastLoad = 0;

/** Cursor of the threads that are not loaded yet; null if all are. */
export const moreThreads = signal<string | null>(null);
let isLoadingMore = false;

/** Loads the next page of the list of threads. */
export async function loadMoreThreads(): Promise<void> {
  const cursor = moreThreads.value;
  if (cursor === null || isLoadingMore) return;
  isLoadingMore = true;
  try {
    const page = await request("thread/list", { ...listParams, cursor });
    const known = new Set(threads.value.map(({ id }) => id));
    batch(() => {
      threads.value = [...threads.value, ...page.data.filter(({ id }) => !known.has(id))];
      moreThreads.value = page.nextCursor;
      readStates.value = new Map([...readStates.value, ...Object.entries(page.readStates)]);
    });
  } catch {
    // It is loaded when the user scrolls again.
  } finally {
    isLoadingMore = false;
  }
}

const listParams: ParamsOf<"thread/list"> = {
  limit: 100,
  sortKey: "updated_at",
  sourceKinds: ["cli", "vscode", "exec", "appServer", "unknown"],
};

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
  await loadConfigured(connected, serverCwd.value).catch(() => undefined);
}

function applyNotification(notification: ServerNotification): void {
  const { method, params } = notification;
  const threadId = "threadId" in params ? params.threadId : undefined;
  if (typeof threadId === "string") views.get(threadId)?.apply(notification);
  else for (const { text } of noticesOf(notification)) warn(text.replaceAll("\n", " "));
  switch (method) {
    case "thread/status/changed":
      threadStatuses.value = new Map(threadStatuses.value).set(params.threadId, params.status);
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
let isOutdated = false;

/** Reads the list once for many changes, and not again before the last answer. */
function reloadSoon(): void {
  isOutdated = true;
  if (isReloading) return;
  isReloading = true;
  setTimeout(async () => {
    isOutdated = false;
    if (line.value.type === "connected") await loadThreads().catch(() => undefined);
    isReloading = false;
    if (isOutdated) reloadSoon();
  }, 300);
}

/** Shows the newest threads while a server with very many is still sorting them. */
async function previewThreads(connected: AppServerClient): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, previewMs));
  if (hasLoadedThreads.value || client.value !== connected) return;
  const { data } = await connected.request("thread/list", { ...listParams, sortKey: "created_at" });
  if (hasLoadedThreads.value) return;
  const known = new Set(threads.value.map(({ id }) => id));
  threads.value = [...threads.value, ...data.filter(({ id }) => !known.has(id))];
}

const previewMs = 500;

function threadInAddress(): string | undefined {
  return new URLSearchParams(location.hash.slice(1)).get("thread") ?? undefined;
}
