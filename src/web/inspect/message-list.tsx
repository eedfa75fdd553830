import { signal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import type { Entry } from "../../inspect/index.js";
import { missing, selected, shown } from "./messages.js";

/** Rows that are rendered; older ones on request. */
const rowsAtOnce = 400;

const rows = signal(rowsAtOnce);
/** True while the list follows the newest message. */
const follows = signal(true);

/** Selects nothing and scrolls to the newest message. */
export function jumpToLatest(): void {
  selected.value = undefined;
  follows.value = true;
}

/** The messages, newest last; it follows the end until the user scrolls up or selects one. */
export function MessageList() {
  const scroller = useRef<HTMLDivElement>(null);
  const list = shown.value;
  const visible = list.slice(-rows.value);
  const isFollowing = follows.value && selected.value === undefined;
  useEffect(() => {
    const element = scroller.current;
    if (element !== null && isFollowing) element.scrollTop = element.scrollHeight;
  }, [list, isFollowing]);
  useEffect(() => {
    if (selected.value === undefined) return;
    const row = scroller.current?.querySelector<HTMLElement>('[aria-current="true"]');
    row?.scrollIntoView({ block: "nearest" });
    row?.focus();
  }, [selected.value]);
  const last = visible.at(-1)?.n;
  return (
    <div
      class="inspect-list scroller"
      ref={scroller}
      onScroll={({ currentTarget: { scrollTop, scrollHeight, clientHeight } }) => {
        follows.value = scrollTop + clientHeight >= scrollHeight - 40;
      }}
    >
      {missing.value > 0 && (
        <p class="centered facts">{missing.value} earlier messages are not retained</p>
      )}
      {list.length > visible.length && (
        <div class="centered">
          <button
            type="button"
            class="button small"
            onClick={() => {
              rows.value += rowsAtOnce;
            }}
          >
            Show older messages ({list.length - visible.length})
          </button>
        </div>
      )}
      {list.length === 0 && <p class="centered muted">No message passes the filters yet.</p>}
      <ul aria-label="Messages">
        {visible.map((entry) => (
          <Row
            key={entry.n}
            entry={entry}
            isSelected={entry.n === selected.value}
            isEntry={entry.n === (selected.value ?? last)}
          />
        ))}
      </ul>
    </div>
  );
}

/** `isEntry`: the Tab key enters the list at this row. */
function Row({
  entry,
  isSelected,
  isEntry,
}: {
  entry: Entry;
  isSelected: boolean;
  isEntry: boolean;
}) {
  const { n, from, problems, connection } = entry;
  const isInvalid = problems.length > 0;
  return (
    <li>
      <button
        type="button"
        class={`inspect-row ${from} ${isInvalid ? "invalid" : ""}`}
        aria-current={isSelected}
        tabIndex={isEntry ? 0 : -1}
        onClick={() => {
          selected.value = isSelected ? undefined : n;
        }}
      >
        <span class="inspect-time">{(entry.ms / 1000).toFixed(3)}</span>
        <span class="inspect-arrow" aria-hidden="true">
          {from === "client" ? "→" : "←"}
        </span>
        <span class="visually-hidden">{from === "client" ? "from client" : "from server"}</span>
        {connection !== undefined && <span class="inspect-client">#{connection}</span>}
        <span class="inspect-method">{labelOf(entry)}</span>
        <span class="inspect-body">{previewOf(entry)}</span>
        {isInvalid && <span class="inspect-mark">invalid</span>}
      </button>
    </li>
  );
}

/** Id, method and kind of a message. */
export function labelOf({ id, method, kind, tookMs }: Entry): string {
  const number = id === undefined ? "" : `${JSON.stringify(id)} `;
  if (kind === "request" || kind === "notification") return `${number}${method ?? ""}`;
  const took = tookMs === undefined ? "" : ` · ${Math.round(tookMs)} ms`;
  return `${number}${method ?? ""} ${kind}${took}`;
}

function previewOf({ problems: [problem], body }: Entry): string {
  return problem ?? (body === undefined ? "" : JSON.stringify(body).slice(0, 240));
}
