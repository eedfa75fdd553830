import { useEffect } from "preact/hooks";
import { isTyping } from "../lib/keys.js";
import { lazy } from "../lib/lazy.js";
import { chooseTab, togglePanel } from "../panel/panel-state.js";
import { stop } from "../state/actions.js";
import { goTo, openView } from "../state/app.js";
import { openPalette, openShortcuts, overlay } from "./overlay-state.js";
import { Palette } from "./palette.js";

const Shortcuts = lazy(async () => (await import("./shortcuts.js")).Shortcuts);

/** Dialogs, and the keys that work everywhere. */
export function Overlays() {
  useEffect(() => {
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, []);
  if (overlay.value === "palette") return <Palette />;
  if (overlay.value === "shortcuts") return <Shortcuts />;
  return null;
}

function onKey(event: KeyboardEvent): void {
  const isCommand = event.ctrlKey || event.metaKey;
  const view = openView.peek();
  if (isCommand && event.key.toLowerCase() === "k") {
    event.preventDefault();
    openPalette();
  } else if (event.key === "Escape" && overlay.peek() === undefined) {
    if (view?.runningTurn.peek() !== undefined && event.shiftKey) void stop(view);
    else focusMessage();
  } else if (isTyping(event) || isCommand || event.altKey) {
    return;
  } else if (event.key === "?") openShortcuts();
  else if (event.key === "n") goTo(undefined);
  else if (event.key === "v" && view !== undefined) chooseTab("Changes");
  else if (event.key === "p" && view !== undefined) togglePanel();
  else if (event.key === "/") {
    event.preventDefault();
    focusMessage();
  }
}

function focusMessage(): void {
  document.querySelector<HTMLTextAreaElement>(".composer textarea")?.focus();
}
