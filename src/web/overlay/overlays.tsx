import { useEffect } from "preact/hooks";
import { isTyping } from "../lib/keys.js";
import { lazy } from "../lib/lazy.js";
import { chooseTab, isPanelOpen, togglePanel } from "../panel/panel-state.js";
import { stop } from "../state/actions.js";
import { goTo, openView } from "../state/app.js";
import { openPalette, openShortcuts, openTree, overlay } from "./overlay-state.js";
import { Palette } from "./palette.js";

const Shortcuts = lazy(async () => (await import("./shortcuts.js")).Shortcuts);
const FileViewer = lazy(async () => (await import("./file-viewer.js")).FileViewer);

const RewindDialog = lazy(async () => (await import("../rewind/rewind-dialog.js")).RewindDialog);
const TreeDialog = lazy(async () => (await import("../rewind/tree-dialog.js")).TreeDialog);

/** Dialogs, and the keys that work everywhere. */
export function Overlays() {
  useEffect(() => {
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, []);
  if (overlay.value === "palette") return <Palette />;
  if (overlay.value === "shortcuts") return <Shortcuts />;
  if (overlay.value === undefined) return null;
  if (overlay.value !== "tree" && "file" in overlay.value) {
    return <FileViewer path={overlay.value.file} />;
  }
  const view = openView.value;
  if (view === undefined) return null;
  if (overlay.value === "tree") return <TreeDialog view={view} />;
  return <RewindDialog view={view} rewind={overlay.value.rewind} />;
}

function onKey(event: KeyboardEvent): void {
  const isCommand = event.ctrlKey || event.metaKey;
  const view = openView.peek();
  if (isCommand && event.key.toLowerCase() === "k") {
    event.preventDefault();
    openPalette();
  } else if (event.key === "Escape" && overlay.peek() === undefined) {
    if (view?.runningTurn.peek() !== undefined && event.shiftKey) void stop(view);
    else if (isPanelOpen.peek() && isSheet()) togglePanel();
    else if (isMessage(event.target)) focusConversation();
    else focusMessage();
  } else if (isTyping(event) || isCommand || event.altKey) {
    return;
  } else if (event.key === "?") openShortcuts();
  else if (event.key === "n") goTo(undefined);
  else if (event.key === "v" && view !== undefined) chooseTab("Changes");
  else if (event.key === "p" && view !== undefined) togglePanel();
  else if (event.key === "t" && view !== undefined) openTree();
  else if (event.key === "/") {
    event.preventDefault();
    focusMessage();
  }
}

function focusMessage(): void {
  document.querySelector<HTMLTextAreaElement>(".composer textarea")?.focus();
}

/** Returns true if the panel covers the conversation. */
function isSheet(): boolean {
  return matchMedia("(max-width: 999px)").matches;
}

function isMessage(target: EventTarget | null): boolean {
  return target instanceof Element && target.matches(".composer textarea");
}

/** There the letters are shortcuts. */
function focusConversation(): void {
  document.querySelector<HTMLElement>(".scroller")?.focus({ preventScroll: true });
}
