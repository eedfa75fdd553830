import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
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
import { problem } from "./state/actions.js";
import { openView, start } from "./state/app.js";
import { useAttention } from "./state/attention.js";
import { isKnown, line } from "./state/connection.js";
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
        <LostBar />
        {view === undefined ? <EmptyState /> : <Conversation key={view.id} view={view} />}
        <div class="dock">
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
          {view !== undefined && <PendingQuestion view={view} />}
          <Composer />
        </div>
      </main>
      {isPanelOpen.value && view !== undefined && <Panel view={view} />}
      <Overlays />
    </div>
  );
}
