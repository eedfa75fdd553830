import { baseName, tokensText } from "../lib/format.js";
import { Icon } from "../lib/icon.js";
import { commandKey } from "../lib/keys.js";
import { openPalette } from "../overlay/overlay-state.js";
import { isPanelOpen, togglePanel } from "../panel/panel-state.js";
import { threads } from "../state/app.js";
import { requests } from "../state/requests.js";
import type { ThreadView } from "../state/thread-view.js";
import { titleOf } from "../threads/group-threads.js";
import { ConnectionStatus } from "./connection-status.js";

/** Title, place and state of the open thread. */
export function Header({
  view,
  isListOpen,
  onToggleList,
}: {
  view: ThreadView | undefined;
  isListOpen: boolean;
  onToggleList(): void;
}) {
  const thread = threads.value.find(({ id }) => id === view?.id);
  const title =
    thread === undefined ? (view === undefined ? "New thread" : "Thread") : titleOf(thread);
  const cwd = view?.settings.value?.cwd;
  const isWaiting = requests.value.length > 0;
  return (
    <header class="top">
      <button
        type="button"
        class={`ghost icon only-narrow ${isWaiting ? "attention" : ""}`}
        aria-label="Threads"
        aria-expanded={isListOpen}
        onClick={onToggleList}
      >
        <Icon name="menu" />
      </button>
      <div class="top-title">
        <h1>{title}</h1>
        {cwd !== undefined && (
          <span class="muted">
            {baseName(cwd)}
            {thread?.gitInfo?.branch ? ` · ${thread.gitInfo.branch}` : ""}
          </span>
        )}
      </div>
      {view !== undefined && <Context view={view} />}
      <ConnectionStatus />
      <button
        type="button"
        class="ghost top-button"
        aria-keyshortcuts="Control+K Meta+K"
        onClick={openPalette}
      >
        <Icon name="search" />
        <span class="words">Commands</span>
        <span class="key" aria-hidden="true">
          {commandKey}K
        </span>
      </button>
      {view !== undefined && (
        <button
          type="button"
          class="ghost top-button"
          aria-pressed={isPanelOpen.value}
          aria-keyshortcuts="p"
          onClick={togglePanel}
        >
          <Icon name="panel" />
          <span class="words">Details</span>
        </button>
      )}
    </header>
  );
}

/** Share of the context window that is used. */
function Context({ view }: { view: ThreadView }) {
  const usage = view.usage.value;
  const size = usage?.modelContextWindow;
  if (usage === undefined || !size) return null;
  const used = Math.min(100, Math.round((usage.last.totalTokens / size) * 100));
  const words = `${tokensText(usage.last.totalTokens)} of ${tokensText(size)} tokens of context`;
  return (
    <span class="context" title={words}>
      <progress max={100} value={used} aria-label="Context used" />
      {used}%
    </span>
  );
}
