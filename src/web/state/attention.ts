import { effect, signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { titleOf } from "../threads/group-threads.js";
import { openView, threads } from "./app.js";
import { requests } from "./requests.js";
import type { ThreadView } from "./thread-view.js";

/** State of the page, as the tab shows it. */
type TabState = "waiting" | "running" | "done" | "failed" | "idle";

/** How a turn has ended while the user did not look. */
const unseen = signal<"done" | "failed" | undefined>(undefined);

/** Shows the state in the title, the icon, and by a notification what waits or has ended. */
export function useAttention(): void {
  useEffect(() => {
    let seen = 0;
    const onVisible = () => {
      if (!document.hidden) unseen.value = undefined;
    };
    document.addEventListener("visibilitychange", onVisible);
    const stopBadge = effect(() => {
      const view = openView.value;
      const thread = threads.value.find(({ id }) => id === view?.id);
      const name = thread === undefined ? "Quire" : `${titleOf(thread).slice(0, 60)} · Quire`;
      const state = stateOf(view);
      document.title = state === "idle" ? name : `${marks[state]} ${name}`;
      showBadge(state);
      const count = requests.value.length;
      if (count > seen) notify("Something waits for you", name);
      seen = count;
    });
    const stopEnds = effect(() => watchEnd(openView.value));
    return () => {
      document.removeEventListener("visibilitychange", onVisible);
      stopBadge();
      stopEnds();
    };
  }, []);
}

/** Asks for the permission to notify; only after an action of the user. */
export async function enableNotifications(): Promise<void> {
  if (typeof Notification === "undefined") {
    throw new Error("This browser shows no notifications on pages without TLS");
  }
  if ((await Notification.requestPermission()) === "denied") {
    throw new Error("The browser blocks notifications of this page; allow them in its settings");
  }
}

function stateOf(view: ThreadView | undefined): TabState {
  if (requests.value.length > 0) return "waiting";
  if (view?.runningTurn.value !== undefined) return "running";
  return unseen.value ?? "idle";
}

let running: { view: ThreadView; turnId: string } | undefined;

/** Notes the end of the running turn of the open thread if nobody looks. */
function watchEnd(view: ThreadView | undefined): void {
  const turnId = view?.runningTurn.value;
  const ended = running;
  running = view === undefined || turnId === undefined ? undefined : { view, turnId };
  if (ended === undefined || ended.view !== view || turnId !== undefined) return;
  const turn = view.turns.peek().get(ended.turnId);
  if (!document.hidden || turn === undefined || turn.status === "inProgress") return;
  unseen.value = turn.status === "failed" ? "failed" : "done";
  const thread = threads.peek().find(({ id }) => id === view.id);
  const name = thread === undefined ? "" : titleOf(thread).slice(0, 60);
  notify(turn.status === "failed" ? "The turn failed" : "The turn is done", name);
}

/** Marks the icon of the tab. */
function showBadge(state: TabState): void {
  const icon = document.querySelector<HTMLLinkElement>('link[rel="icon"]');
  const href = state === "idle" ? "/favicon.svg" : `/favicon-${state}.svg`;
  if (icon !== null && icon.getAttribute("href") !== href) icon.setAttribute("href", href);
}

function notify(title: string, body: string): void {
  if (!document.hidden || typeof Notification === "undefined") return;
  if (Notification.permission === "granted") new Notification(title, { body, tag: "quire" });
}

const marks = { waiting: "◆", running: "●", done: "✓", failed: "✗" };
