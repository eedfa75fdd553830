import { signal, useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import type { Thread } from "../../protocol/rpc/v2/thread.js";
import type { ThreadSearchResponse } from "../../protocol/rpc/v2/thread-search.js";
import { agoText, baseName } from "../lib/format.js";
import { Icon } from "../lib/icon.js";
import { archive, rename } from "../state/actions.js";
import {
  goTo,
  hasLoadedThreads,
  loadMoreThreads,
  moreThreads,
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
  const isSearching = useSignal(false);
  const found = useSignal<ReadonlyMap<string, FoundThread> | undefined>(undefined);
  useEffect(() => {
    const term = search.value.trim();
    if (term === "") {
      found.value = undefined;
      return;
    }
    const stop = new AbortController();
    found.value = loadedHits(term); // at once; the server may have to read many files
    const timer = setTimeout(async () => {
      isSearching.value = true;
      for await (const hits of findThreads(term, stop.signal)) {
        if (stop.signal.aborted) return;
        found.value = hits;
      }
      isSearching.value = false;
    }, 200);
    return () => {
      clearTimeout(timer);
      stop.abort();
      isSearching.value = false;
    };
  }, [search.value, found, isSearching]);
  const choose = (id: string | undefined) => {
    goTo(id);
    onChoose();
  };
  const shown = found.value;
  const listed =
    shown === undefined ? threads.value : [...shown.values()].map(({ thread }) => thread);
  return (
    <>
      <div class="nav-head">
        <button
          type="button"
          class="button new-thread"
          aria-keyshortcuts="n"
          onClick={() => choose(undefined)}
        >
          <Icon name="plus" />
          <span class="words">New thread</span>
          <span class="key" aria-hidden="true">
            n
          </span>
        </button>
        <input
          type="search"
          aria-label="Search threads"
          placeholder="Search threads"
          value={search.value}
          onInput={(event) => {
            search.value = event.currentTarget.value;
          }}
        />
      </div>
      <div
        class="nav-list"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls
        tabIndex={0}
        onScroll={({ currentTarget: { scrollTop, scrollHeight, clientHeight } }) => {
          if (scrollHeight - scrollTop - clientHeight < 1000) void loadMoreThreads();
        }}
      >
        {groupThreads(listed, waitingThreads.value).map(({ name, threads: group }) => (
          <section key={name} aria-label={name}>
            <h2>{name}</h2>
            <ul>
              {group.map((thread) => (
                <ThreadRow
                  key={thread.id}
                  thread={thread}
                  snippet={shown?.get(thread.id)?.snippet}
                  onChoose={() => choose(thread.id)}
                />
              ))}
            </ul>
          </section>
        ))}
        {isSearching.value && <p class="facts centered">Searching…</p>}
        {hasLoadedThreads.value && listed.length === 0 && !isSearching.value && (
          <p class="muted centered">{shown === undefined ? "No threads yet" : "Nothing found"}</p>
        )}
        {shown === undefined && moreThreads.value !== null && (
          <button type="button" class="ghost small wide" onClick={() => void loadMoreThreads()}>
            Show older ones
          </button>
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
          class="ghost small icon"
          aria-label={`Rename ${title}`}
          title="Rename"
          onClick={() => {
            renaming.value = { id: thread.id, name: title };
          }}
        >
          <Icon name="rename" />
        </button>
        <button
          type="button"
          class="ghost small icon"
          aria-label={`Archive ${title}`}
          title="Archive"
          onClick={() => archive(thread.id)}
        >
          <Icon name="archive" />
        </button>
      </span>
    </li>
  );
}

/** The thread that is being renamed; its row moves when its state changes. */
const renaming = signal<{ id: string; name: string } | undefined>(undefined);

function RenameRow({ threadId }: { threadId: string }) {
  const box = useRef<HTMLInputElement>(null);
  // Also when the row has moved to another group.
  useEffect(() => {
    box.current?.focus();
    box.current?.select();
  }, []);
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

/** A thread that was searched for, with a part of the message that was found. */
interface FoundThread {
  thread: Thread;
  snippet: string;
}

/** Returns the loaded threads with a text in their title, folder or branch. */
function loadedHits(searchTerm: string): ReadonlyMap<string, FoundThread> {
  const term = searchTerm.toLowerCase();
  const hits = threads.value.filter((thread) =>
    `${titleOf(thread)} ${thread.cwd} ${thread.gitInfo?.branch ?? ""}`.toLowerCase().includes(term),
  );
  return new Map(hits.map((thread) => [thread.id, { thread, snippet: "" }]));
}

/** Yields the threads with a text in their name or messages, more and more, newest first. */
async function* findThreads(
  searchTerm: string,
  signal: AbortSignal,
): AsyncGenerator<ReadonlyMap<string, FoundThread>> {
  const hits = [...loadedHits(searchTerm).values()];
  for (const pages of [namedThreads(searchTerm, signal), threadsThatSay(searchTerm, signal)]) {
    try {
      for await (const page of pages) {
        hits.push(...page);
        const newestFirst = hits.toSorted(
          (one, two) => two.thread.updatedAt - one.thread.updatedAt,
        );
        yield new Map(newestFirst.map((hit) => [hit.thread.id, hit]));
      }
    } catch {
      // What was found before stays.
    }
  }
}

/** Yields the threads with a text in their name or first message. */
async function* namedThreads(searchTerm: string, signal: AbortSignal) {
  const params = { searchTerm, limit: mostFound, sourceKinds: searchedKinds };
  const { data } = await request("thread/list", { ...params, sortKey: "updated_at" }, signal);
  yield data.map((thread) => ({ thread, snippet: "" }));
}

/** Yields the threads with a text in their messages; the server reads their files for a second a page. */
async function* threadsThatSay(searchTerm: string, signal: AbortSignal) {
  const params = { searchTerm, sourceKinds: searchedKinds };
  let left = mostFound;
  for (let at: { cursor?: string } | undefined = {}; at !== undefined && left > 0; ) {
    const page: ThreadSearchResponse = await request(
      "thread/search",
      { ...params, ...at, limit: left },
      signal,
    );
    yield page.data;
    left -= page.data.length;
    at = page.nextCursor ? { cursor: page.nextCursor } : undefined;
  }
}

const mostFound = 50;
const searchedKinds = ["cli" as const, "vscode" as const, "exec" as const, "appServer" as const];
const stateMarks = { waiting: "◆", running: "●", failed: "✗" };
const stateWords = { waiting: "waiting for you", running: "running", failed: "failed" };
