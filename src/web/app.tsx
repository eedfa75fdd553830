import { useSignal } from "@preact/signals";
import { useEffect, useLayoutEffect } from "preact/hooks";
import { PendingQuestion } from "./approval/dock.js";
import { Composer } from "./composer/composer.js";
import { Conversation } from "./conversation/conversation.js";
import { LostBar } from "./header/connection-status.js";
import { EmptyState } from "./header/empty-state.js";
import { Header } from "./header/header.js";
import { lazy } from "./lib/lazy.js";
import { Overlays } from "./overlay/overlays.js";
import { Pairing } from "./pairing/pairing.js";
import { isPanelOpen } from "./panel/panel-state.js";
import { RewoundBar } from "./rewind/rewound-bar.js";
import { openView, start } from "./state/app.js";
import { useAttention } from "./state/attention.js";
import { isKnown, line } from "./state/connection.js";
import { dismissWarnings, done, problem, warnings } from "./state/problem.js";
import { ThreadList } from "./threads/thread-list.js";

const Panel = lazy(async () => (await import("./panel/panel.js")).Panel);

/** The page: pairing, or the threads and the open one. */
export function App() {
  useEffect(() => {
    void start();
  }, []);
  if (line.value.type === "unpaired") return <Pairing onPaired={() => void start()} />;
  if (isKnown.value) return <Workspace />;
  return (
    <main class="starting">
      <p>Quire is starting…</p>
    </main>
  );
}

function Workspace() {
  const isListOpen = useSignal(false);
  useAttention();
  const view = openView.value;
  const closeList = () => {
    isListOpen.value = false;
  };
  useDrawer(isListOpen.value, closeList);
  return (
    <div class={`workspace ${isPanelOpen.value ? "with-panel" : ""}`}>
      <nav aria-label="Threads" class={isListOpen.value ? "open" : ""}>
        <ThreadList onChoose={closeList} />
      </nav>
      {isListOpen.value && (
        <button type="button" class="scrim" aria-label="Close the list" onClick={closeList} />
      )}
      <main>
        <Header
          view={view}
          isListOpen={isListOpen.value}
          onToggleList={() => {
            isListOpen.value = !isListOpen.value;
          }}
        />
        {view === undefined ? <EmptyState /> : <Conversation key={view.id} view={view} />}
        <div class="dock" tabIndex={-1}>
          <LostBar />
          {warnings.value !== "" && (
            <div class="problem warning row" role="status" aria-label="Warnings">
              <span class="grow">{warnings.value}</span>
              <button type="button" class="ghost small" onClick={dismissWarnings}>
                Dismiss
              </button>
            </div>
          )}
          {problem.value !== "" && (
            <div class="problem row" role="alert">
              <span class="grow">{problem.value}</span>
              <button
                type="button"
                class="ghost small"
                onClick={() => {
                  problem.value = "";
                }}
              >
                Dismiss
              </button>
            </div>
          )}
          {view !== undefined && <RewoundBar view={view} />}
          {view !== undefined && <PendingQuestion view={view} />}
          <Composer />
        </div>
      </main>
      {isPanelOpen.value && view !== undefined && <Panel view={view} />}
      <Overlays />
      <DoneBar />
    </div>
  );
}

/** Result of the last action, for a while. */
function DoneBar() {
  const result = done.value;
  useEffect(() => {
    if (result === undefined) return;
    const timer = setTimeout(() => {
      done.value = undefined;
    }, 8000);
    return () => clearTimeout(timer);
  }, [result]);
  if (result === undefined) return null;
  return (
    <div class="done-bar row" role="status" aria-label="Done">
      <span class="grow">{result.text}</span>
      {result.undo !== undefined && (
        <button
          type="button"
          class="button small"
          onClick={() => {
            done.value = undefined;
            result.undo?.();
          }}
        >
          Undo
        </button>
      )}
    </div>
  );
}

/** The list on narrow screens takes the focus, and Escape closes it. */
function useDrawer(isOpen: boolean, close: () => void): void {
  // An effect after the paint would miss an Escape right after the list was opened.
  useLayoutEffect(() => {
    if (!isOpen) return;
    const before = document.activeElement;
    document.querySelector<HTMLElement>("nav .new-thread")?.focus();
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== "Escape") return;
      event.stopPropagation();
      close();
    };
    document.addEventListener("keydown", onKey, true);
    return () => {
      document.removeEventListener("keydown", onKey, true);
      if (before instanceof HTMLElement) before.focus();
    };
  }, [isOpen]);
}
