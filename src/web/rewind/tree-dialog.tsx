import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import type { ThreadTreeResponse, TurnTreeNode } from "../../protocol/rpc/v2/rewind.js";
import { agoText, counted } from "../lib/format.js";
import { Dialog } from "../overlay/dialog.js";
import { openRewind } from "../overlay/overlay-state.js";
import { request } from "../state/app.js";
import type { ThreadView } from "../state/thread-view.js";
import { type TurnRow, toTurnRows } from "./turn-rows.js";

/** The turns of all branches; the chosen one can be rewound or continued. */
export function TreeDialog({ view }: { view: ThreadView }) {
  const tree = useSignal<ThreadTreeResponse | undefined>(undefined);
  const problem = useSignal("");
  const chosenId = useSignal("");
  const shown = useSignal(pageSize);
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    request("thread/tree", { threadId: view.id }).then(
      (found) => {
        tree.value = found;
        chosenId.value = found.activeTurnId ?? "";
      },
      (error: unknown) => {
        problem.value = error instanceof Error ? error.message : String(error);
      },
    );
  }, [view, tree, chosenId, problem]);
  const found = tree.value;
  useEffect(() => {
    list.current?.querySelector<HTMLInputElement>("input:checked")?.focus();
  }, [found]);
  const rows = toTurnRows(found?.data ?? []);
  const chosen = found?.data.find(({ turnId }) => turnId === chosenId.value);
  return (
    <Dialog label="Tree of turns">
      <div class="tree">
        <h2>Tree of turns</h2>
        {problem.value !== "" && (
          <p class="problem" role="alert">
            {problem.value}
          </p>
        )}
        {found === undefined && problem.value === "" && <p class="muted">Loading…</p>}
        {found?.data.length === 0 && <p class="muted">This thread has no turns yet.</p>}
        <div ref={list} class="tree-rows" role="radiogroup" aria-label="Turns">
          {rows.length > shown.value && (
            <button
              type="button"
              class="ghost small"
              onClick={() => {
                shown.value += pageSize;
              }}
            >
              Show {Math.min(pageSize, rows.length - shown.value)} earlier
            </button>
          )}
          {rows.slice(-shown.value).map((row) => (
            <TreeRow
              key={row.turn.turnId}
              row={row}
              isLast={row.turn.turnId === found?.activeTurnId}
              isChosen={row.turn.turnId === chosenId.value}
              onChoose={() => {
                chosenId.value = row.turn.turnId;
              }}
            />
          ))}
        </div>
        {chosen !== undefined && (
          <div class="dialog-buttons">
            <button
              type="button"
              class="button"
              disabled={!chosen.isActive}
              onClick={() => openRewind({ kind: "rewind", turnId: chosen.turnId })}
            >
              Rewind to before this
            </button>
            <button
              type="button"
              class="button primary"
              disabled={chosen.turnId === found?.activeTurnId}
              onClick={() => openRewind({ kind: "switch", turnId: chosen.turnId })}
            >
              Continue from here
            </button>
          </div>
        )}
      </div>
    </Dialog>
  );
}

function TreeRow({
  row: { turn, lane, isBranch, isEnd },
  isLast,
  isChosen,
  onChoose,
}: {
  row: TurnRow;
  isLast: boolean;
  isChosen: boolean;
  onChoose(): void;
}) {
  const text = turn.text.replaceAll(/\s+/g, " ").trim() || "(no message)";
  return (
    <label class={`tree-row ${turn.isActive ? "active" : ""}`}>
      <input
        type="radio"
        name="turn"
        class="visually-hidden"
        checked={isChosen}
        onChange={onChoose}
      />
      <Lanes lane={Math.min(lane, mostLanes)} isBranch={isBranch} isEnd={isEnd} />
      <span class="tree-text">{text}</span>
      <span class="facts">{factsOf(turn, isLast)}</span>
    </label>
  );
}

/** Lines of the lanes of a row, with the dot of the turn. */
function Lanes({ lane, isBranch, isEnd }: { lane: number; isBranch: boolean; isEnd: boolean }) {
  const x = lane * laneWidth + 8;
  const lines = [
    ...Array.from({ length: lane }, (_, at) => `M${at * laneWidth + 8} 0V36`),
    isBranch ? `M${x - laneWidth} 0C${x - laneWidth} 12 ${x} 6 ${x} 18` : `M${x} 0V18`,
    isEnd ? "" : `M${x} 18V36`,
  ];
  return (
    <svg class="lanes" width={x + 8} height={36} aria-hidden="true">
      <path d={lines.join("")} />
      <circle cx={x} cy={18} r={4} />
    </svg>
  );
}

function factsOf({ isActive, status, changedFiles, startedAtMs }: TurnTreeNode, isLast: boolean) {
  return [
    isLast ? "you are here" : isActive ? "" : "other branch",
    status === "completed" ? "" : statusWords[status],
    changedFiles === 0 ? "" : counted(changedFiles, "file"),
    startedAtMs === null ? "" : agoText(startedAtMs / 1000),
  ]
    .filter((fact) => fact !== "")
    .join(" · ");
}

const statusWords = { interrupted: "stopped", failed: "failed", inProgress: "running" };
const laneWidth = 16;
const mostLanes = 6;
/** Turns that are drawn at once. */
const pageSize = 300;
