import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { TurnPlan } from "../../protocol/rpc/v2/turn.js";
import { CopyButton } from "../lib/copy-button.js";
import { costText, counted, durationText, secondsText, tokensText } from "../lib/format.js";
import type { Entry } from "../state/entries.js";
import { requestsOf } from "../state/requests.js";
import type { ThreadView, TurnFacts } from "../state/thread-view.js";
import { Fold } from "./fold.js";
import { host } from "./host.js";
import { Item } from "./item.js";
import type { Row } from "./rows.js";

/** One row of the conversation. */
export function RowView({ row, view }: { row: Row; view: ThreadView }) {
  switch (row.kind) {
    case "entry":
      return <Item entry={row.entry} />;
    case "explored":
      return <Explored entries={row.entries} />;
    case "plan":
      return <PlanItem plan={row.plan} />;
    case "end":
      return <TurnEnd turn={row.turn} entries={row.entries} view={view} />;
  }
}

function Explored({ entries }: { entries: readonly Entry[] }) {
  const files = new Set(
    entries.flatMap(({ item: { value } }) =>
      value.type === "commandExecution"
        ? value.commandActions.flatMap((action) => (action.type === "read" ? [action.path] : []))
        : [],
    ),
  );
  const title =
    files.size === 0
      ? `Explored in ${counted(entries.length, "command")}`
      : `Explored ${counted(files.size, "file")}`;
  return (
    <div class="item explored">
      <Fold title={<span class="muted">{title}</span>} isOpen>
        {() => entries.map((entry) => <Item key={entry.key} entry={entry} isCompact />)}
      </Fold>
    </div>
  );
}

/** The steps of a plan; the running one stands out. */
export function PlanItem({ plan }: { plan: TurnPlan }) {
  const done = plan.plan.filter(({ status }) => status === "completed").length;
  return (
    <article aria-label={`Plan: ${done} of ${plan.plan.length} done`} class="item plan">
      <div class="item-head muted">
        Plan · {done} of {plan.plan.length}
      </div>
      {plan.explanation !== null && <p class="muted">{plan.explanation}</p>}
      <ol class="steps">
        {plan.plan.map(({ step, status }) => (
          <li key={step} class={status}>
            <span class="step-mark" aria-hidden="true">
              {stepMarks[status]}
            </span>
            <span>
              {step}
              <span class="visually-hidden"> ({stepWords[status]})</span>
            </span>
          </li>
        ))}
      </ol>
    </article>
  );
}

function TurnEnd({
  turn,
  entries,
  view,
}: {
  turn: TurnFacts;
  entries: readonly Entry[];
  view: ThreadView;
}) {
  const answer = entries.findLast(({ item }) => item.value.type === "agentMessage")?.item.value;
  const files = new Set(
    entries.flatMap(({ item: { value } }) =>
      value.type === "fileChange" ? value.changes.map(({ path }) => path) : [],
    ),
  );
  const isLast = view.entries.value.at(-1)?.turnId === turn.id;
  const usage = view.progress.usage.value.get(turn.id);
  const facts = [
    turn.status === "interrupted" ? "Stopped" : "",
    turn.durationMs === null ? "" : durationText(turn.durationMs),
    usage === undefined ? "" : `${tokensText(usage.tokens)} tokens`,
    usage?.cost ? costText(usage.cost) : "",
    files.size === 0 ? "" : `${counted(files.size, "file")} changed`,
  ].filter((text) => text !== "");
  return (
    <>
      {turn.error !== null && turn.status === "failed" && (
        <article aria-label={`Notice: ${turn.error.message}`} class="item failure">
          <span class="mark failed">✗</span>
          <div>
            <strong>The turn failed</strong>
            <div>{turn.error.message}</div>
            {turn.error.additionalDetails !== null && (
              <div class="muted">{turn.error.additionalDetails}</div>
            )}
          </div>
        </article>
      )}
      <div class={`turn-end ${isLast ? "last" : ""}`}>
        <span class="facts">{facts.join(" · ")}</span>
        <span class="turn-actions">
          {answer?.type === "agentMessage" && <CopyButton text={answer.text} label="Copy answer" />}
          {host.value.turnActions?.(view, turn)}
        </span>
      </div>
    </>
  );
}

/** A thin moving line with the elapsed time while a turn runs; it rests while the user is asked. */
export function Working({ view }: { view: ThreadView }) {
  const turnId = view.runningTurn.value;
  const now = useSignal(Date.now());
  useEffect(() => {
    if (turnId === undefined) return;
    const timer = setInterval(() => {
      now.value = Date.now();
    }, 1000);
    return () => clearInterval(timer);
  }, [turnId, now]);
  if (turnId === undefined) return null;
  const started = view.turns.value.get(turnId)?.startedAt;
  const elapsed = typeof started === "number" ? Math.max(0, now.value - started * 1000) : 0;
  const isWaiting = requestsOf(view.id).length > 0;
  const activity = isWaiting
    ? "Waiting for you"
    : ([...view.progress.activities.value.values()].at(-1) ?? "Working");
  return (
    <div class={isWaiting ? "working waiting" : "working"}>
      <span class="working-line" aria-hidden="true" />
      <span class="facts">
        {activity} · {secondsText(Math.floor(elapsed / 1000) * 1000)}
        <span class="only-keys" aria-hidden="true">
          {" "}
          · <kbd>Shift Esc</kbd> stops
        </span>
      </span>
    </div>
  );
}

const stepMarks = { pending: "○", inProgress: "●", completed: "✓" };
const stepWords = { pending: "pending", inProgress: "in progress", completed: "done" };
