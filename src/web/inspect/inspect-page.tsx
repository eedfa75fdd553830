import { useEffect } from "preact/hooks";
import { ConnectionStatus, LostBar } from "../header/connection-status.js";
import { Pairing } from "../pairing/pairing.js";
import { isKnown, line } from "../state/connection.js";
import { follow } from "./connect.js";
import { FilterBar, focusSearch } from "./filter-bar.js";
import { MessageDetails } from "./message-details.js";
import { jumpToLatest, MessageList } from "./message-list.js";
import { move, onlyInvalid, selected, selectedEntry, state } from "./messages.js";

/** The page of `quire inspect`: pairing, or the messages and the selected one. */
export function InspectPage() {
  useEffect(() => {
    void follow();
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, []);
  if (line.value.type === "unpaired") {
    return <Pairing onPaired={() => void follow()} hint={hint} />;
  }
  if (!isKnown.value) {
    return (
      <main class="starting">
        <p>Connecting to the inspector…</p>
      </main>
    );
  }
  const entry = selectedEntry.value;
  return (
    <div class={`inspect ${entry === undefined ? "" : "with-details"}`}>
      <main>
        <Head />
        <LostBar />
        <FilterBar />
        <MessageList />
        <Keys />
      </main>
      {entry !== undefined && <MessageDetails entry={entry} />}
    </div>
  );
}

const hint = (
  <>
    Open the address that <code>quire inspect --page</code> printed. Its code works once; start the
    inspector again for another one.
  </>
);

function Head() {
  const { server = "", era = null, messages = 0, invalid = 0, ended = null } = state.value ?? {};
  return (
    <header class="top">
      <div class="top-title">
        <h1 class="inspect-name">Inspect</h1>
        <span class="muted mono inspect-server">{server}</span>
      </div>
      <span class="facts">
        {era === null ? "era not known yet" : `era ${era}`} · {messages} messages ·{" "}
        <span class={invalid > 0 ? "invalid-count" : ""}>{invalid} invalid</span>
        {ended === null ? "" : ` · ${ended}`}
      </span>
      <ConnectionStatus />
    </header>
  );
}

function Keys() {
  return (
    <footer class="inspect-keys facts">
      <kbd>↑</kbd> <kbd>↓</kbd> select · <kbd>/</kbd> search · <kbd>i</kbd> only invalid ·{" "}
      <kbd>End</kbd> latest · <kbd>Esc</kbd> close
    </footer>
  );
}

function onKey(event: KeyboardEvent): void {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const isTyping = event.target instanceof HTMLInputElement && event.target.type === "search";
  if (event.key === "Escape") {
    if (isTyping) (event.target as HTMLInputElement).blur();
    else selected.value = undefined;
    return;
  }
  const act = isTyping ? undefined : actions[event.key];
  if (act === undefined) return;
  // Arrow keys scroll the details and move between radio buttons there.
  const isElsewhere = event.target instanceof Element && event.target.closest(".own-keys") !== null;
  if (isElsewhere && /^(Arrow|End|Home|Page)/.test(event.key)) return;
  event.preventDefault();
  act();
}

const actions: Readonly<Record<string, () => void>> = {
  ArrowDown: () => move(1),
  ArrowUp: () => move(-1),
  j: () => move(1),
  k: () => move(-1),
  PageDown: () => move(20),
  PageUp: () => move(-20),
  End: jumpToLatest,
  "/": focusSearch,
  i: () => {
    onlyInvalid.value = !onlyInvalid.value;
  },
};
