import { useSignal } from "@preact/signals";
import { unwrapShell } from "../../lib/unwrap-shell.js";
import type { CommandExecutionItem } from "../../protocol/rpc/v2/item.js";
import { counted, durationText } from "../lib/format.js";
import type { Entry } from "../state/entries.js";
import { requests } from "../state/requests.js";
import { marks } from "./marks.js";
import { LiveOutput, Output } from "./output.js";

/** A command with its output: the beginning and the end, all of it on request. */
export function Command({
  entry,
  item,
  isCompact,
}: {
  entry: Entry;
  item: CommandExecutionItem;
  isCompact: boolean;
}) {
  const showsOutput = useSignal(!isCompact);
  const isWhole = useSignal(false);
  const command = unwrapShell(item.command);
  const { shown, hiddenText } = folded(command);
  const live = entry.live.value;
  entry.grown.value;
  return (
    <article aria-label={`Command: ${command.slice(0, 200)}`} class="item command">
      <div class="item-head">
        {isWaiting(item.id) ? (
          <span class="mark waiting">◆</span>
        ) : (
          <span class={`mark ${item.status}`}>{marks[item.status]}</span>
        )}
        <code class="command-line">
          <span class="prompt" aria-hidden="true">
            ${" "}
          </span>
          {isWhole.value ? command : shown}
        </code>
        <Facts item={item} isWaitingForUser={isWaiting(item.id)} />
        {isCompact && item.aggregatedOutput !== null && (
          <button
            type="button"
            class="ghost small"
            aria-expanded={showsOutput.value}
            onClick={() => {
              showsOutput.value = !showsOutput.value;
            }}
          >
            Output
          </button>
        )}
      </div>
      {hiddenText !== "" && (
        <button
          type="button"
          class="ghost small more"
          aria-expanded={isWhole.value}
          onClick={() => {
            isWhole.value = !isWhole.value;
          }}
        >
          {isWhole.value ? "Show less of the command" : `⋯ ${hiddenText} of the command`}
        </button>
      )}
      {!showsOutput.value ? null : live === undefined ? (
        <Output text={item.aggregatedOutput ?? ""} />
      ) : (
        <LiveOutput text={live.tail === "" ? live.head : live.tail} />
      )}
    </article>
  );
}

/** Returns true if a command waits for the approval of the user. */
function isWaiting(itemId: string): boolean {
  return requests.value.some(({ kind, params }) => kind === "command" && params.itemId === itemId);
}

/** State of a command, or how it ended and how long it took. */
function Facts({
  item: { status, exitCode, durationMs },
  isWaitingForUser,
}: {
  item: CommandExecutionItem;
  isWaitingForUser: boolean;
}) {
  if (isWaitingForUser) return <span class="facts waiting">waiting for you</span>;
  if (status === "declined") return <span class="facts">declined</span>;
  if (status === "inProgress") return <span class="facts">running</span>;
  return (
    <span class="facts">
      {exitCode !== null && exitCode !== 0 && <span class="count-remove">exit {exitCode}</span>}
      {exitCode !== null && exitCode !== 0 && durationMs !== null && " · "}
      {durationMs !== null && durationText(durationMs)}
    </span>
  );
}

/** Returns the beginning of a long command, such as one with a file in it, and how much is hidden. */
function folded(command: string): { shown: string; hiddenText: string } {
  const lines = command.split("\n");
  if (lines.length > mostLines) {
    const hiddenText = counted(lines.length - foldedLines, "more line");
    return { shown: lines.slice(0, foldedLines).join("\n").slice(0, mostText), hiddenText };
  }
  if (command.length <= mostText) return { shown: command, hiddenText: "" };
  const hiddenText = counted(command.length - mostText, "more character");
  return { shown: command.slice(0, mostText), hiddenText };
}

const foldedLines = 8;
const mostLines = foldedLines + 4;
const mostText = 4000;
