import { effect } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { titleOf } from "../threads/group-threads.js";
import { openView, threads } from "./app.js";
import { requests } from "./requests.js";

/** Says in the title, and by a notification, that something waits for the user. */
export function useAttention(): void {
  useEffect(() => {
    let seen = 0;
    return effect(() => {
      const count = requests.value.length;
      const view = openView.value;
      const thread = threads.value.find(({ id }) => id === view?.id);
      const name = thread === undefined ? "Quire" : `${titleOf(thread).slice(0, 60)} · Quire`;
      const isRunning = view?.runningTurn.value !== undefined;
      document.title = count > 0 ? `◆ ${name}` : isRunning ? `● ${name}` : name;
      if (count > seen) notify("Something waits for you", name);
      seen = count;
    });
  }, []);
}

/** Asks for the permission to notify; only after an action of the user. */
export async function enableNotifications(): Promise<void> {
  await Notification.requestPermission();
}

function notify(title: string, body: string): void {
  if (!document.hidden || typeof Notification === "undefined") return;
  if (Notification.permission === "granted") new Notification(title, { body, tag: "quire" });
}
