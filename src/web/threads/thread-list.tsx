import { signal, useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import type { Thread } from "../../protocol/rpc/v2/thread.js";
import { agoText, baseName } from "../lib/format.js";
import { archive, rename } from "../state/actions.js";
import {
  goTo,
  hasLoadedThreads,
  openThreadId,
  request,
  threads,
  unreadThreads,
} from "../state/app.js";
import { waitingThreads } from "../state/requests.js";
import { groupThreads, stateOf, titleOf } from "./group-threads.js";

/** All threads, by what they need from the user and by age. */
export function ThreadList({ onChoose }: { onChoose(): void }) {
  const search = useSignal("");
  const found = useSignal<ReadonlyMap<string, string> | undefined>(undefined);
  useEffect(() => {
    const term = search.value.trim();
    if (term === "") {
      found.value = undefined;
      return;
    }
    const stop = new AbortController();
    const timer = setTimeout(async () => {
      const hits = await findThreads(term, stop.signal);
      if (!stop.signal.aborted) found.value = hits;
    }, 200);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [search.value, found]);
  const choose = (id: string | undefined) => {
    goTo(id);
    onChoose();
  };
  const shown = found.value;
  const listed = threads.value.filter(({ id }) => shown === undefined || shown.has(id));
  return (
    <>
      <div class="nav-head">
        <button type="button" class="button wide" onClick={() => choose(undefined)}>
          New thread
        </button>
        <input
          type="search"
          aria-label="Search threads"
          placeholder="Search"
          value={search.value}
          onInput={(event) => {
            search.value = event.currentTarget.value;
          }}
        />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls */}
      <div class="nav-list" tabIndex={0}>
        {groupThreads(listed, waitingThreads.value).map(({ name, threads: group }) => (
          <section key={name} aria-label={name}>
            <h2>{name}</h2>
            <ul>
              {group.map((thread) => (
                <ThreadRow
                  key={thread.id}
                  thread={thread}
                  snippet={shown?.get(thread.id)}
                  onChoose={() => choose(thread.id)}
                />
              ))}
            </ul>
          </section>
        ))}
        {hasLoadedThreads.value && listed.length === 0 && (
          <p class="muted centered">{shown === undefined ? "No threads yet" : "Nothing found"}</p>
        )}
      </div>
    </>
  );
}

function ThreadRow({
  thread,
  snippet,
  onChoose,
}: {
  thread: Thread;
  snippet: string | undefined;
  onChoose(): void;
}) {
  const isOpen = openThreadId.value === thread.id;
  const state = stateOf(thread, waitingThreads.value);
  const isUnread = unreadThreads.value.has(thread.id) && !isOpen;
  const title = titleOf(thread);
  const { branch } = thread.gitInfo ?? {};
  if (renaming.value?.id === thread.id) return <RenameRow threadId={thread.id} />;
  return (
    <li class={`thread-row ${isOpen ? "open" : ""}`}>
      <a
        href={`#thread=${thread.id}`}
        aria-current={isOpen ? "page" : undefined}
        onClick={(event) => {
          if (event.ctrlKey || event.metaKey || event.shiftKey) return;
          event.preventDefault();
          onChoose();
        }}
      >
        <span class="thread-title">{title}</span>
        <span class="thread-meta">
          {state !== undefined && (
            <span class={`state ${state}`} title={stateWords[state]}>
              {stateMarks[state]}
              <span class="visually-hidden">{stateWords[state]}</span>
            </span>
          )}
          {isUnread && state === undefined && (
            <span class="unread" title="Unread">
              <span class="visually-hidden">unread</span>
            </span>
          )}
          <span class="thread-place">
            {baseName(thread.cwd)}
            {branch ? ` · ${branch}` : ""}
          </span>
          <span>{agoText(thread.updatedAt)}</span>
        </span>
        {snippet !== undefined && snippet !== "" && <span class="snippet">{snippet}</span>}
      </a>
      <span class="row-actions">
        <button
          type="button"
          class="ghost small"
          aria-label={`Rename ${title}`}
          onClick={() => {
            renaming.value = { id: thread.id, name: title };
          }}
        >
          Rename
        </button>
        <button
          type="button"
          class="ghost small"
          aria-label={`Archive ${title}`}
          onClick={() => archive(thread.id)}
        >
          Archive
        </button>
      </span>
    </li>
  );
}

/** The thread that is being renamed; its row moves when its state changes. */
const renaming = signal<{ id: string; name: string } | undefined>(undefined);

function RenameRow({ threadId }: { threadId: string }) {
  const box = useRef<HTMLInputElement>(null);
  useEffect(() => box.current?.select(), []);
  return (
    <li>
      <form
        class="rename"
        onSubmit={(event) => {
          event.preventDefault();
          const name = renaming.value?.name.trim() ?? "";
          renaming.value = undefined;
          if (name !== "") void rename(threadId, name);
        }}
      >
        <input
          ref={box}
          aria-label="Name of the thread"
          value={renaming.value?.name ?? ""}
          onInput={(event) => {
            renaming.value = { id: threadId, name: event.currentTarget.value };
          }}
          onKeyDown={(event) => {
            if (event.key === "Escape") renaming.value = undefined;
          }}
        />
      </form>
    </li>
  );
}

/** Returns the threads with a text in their name or messages, with a part of the message. */
async function findThreads(
  searchTerm: string,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, string>> {
  const term = searchTerm.toLowerCase();
  const hits = new Map<string, string>();
  for (const thread of threads.value) {
    const text = `${titleOf(thread)} ${thread.cwd} ${thread.gitInfo?.branch ?? ""}`;
    if (text.toLowerCase().includes(term)) hits.set(thread.id, "");
  }
  const params = { searchTerm, limit: 50, sourceKinds: searchedKinds };
  const page = await request("thread/search", params, signal).catch(() => undefined);
  for (const { thread, snippet } of page?.data ?? []) hits.set(thread.id, snippet);
  return hits;
}

const searchedKinds = ["cli" as const, "vscode" as const, "exec" as const, "appServer" as const];
const stateMarks = { waiting: "◆", running: "●", failed: "✗" };
const stateWords = { waiting: "waiting for you", running: "running", failed: "failed" };
