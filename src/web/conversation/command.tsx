import { useSignal } from "@preact/signals";
import { unwrapShell } from "../../lib/unwrap-shell.js";
import type { CommandExecutionItem } from "../../protocol/rpc/v2/item.js";
import { withColors } from "../lib/ansi.js";
import { CopyButton } from "../lib/copy-button.js";
import { counted, durationText } from "../lib/format.js";
import type { Entry } from "../state/entries.js";
import { requests } from "../state/requests.js";
import { marks } from "./marks.js";

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
  const command = unwrapShell(item.command);
  const live = entry.live.value;
  entry.grown.value;
  return (
    <article aria-label={`Command: ${command.slice(0, 200)}`} class="item command">
      <div class="item-head">
        <span class={`mark ${item.status}`}>{marks[item.status]}</span>
        <code class="command-line">
          <span class="prompt" aria-hidden="true">
            ${" "}
          </span>
          {command.slice(0, mostCommand)}
        </code>
        <span class="facts">{factsOf(item, isWaiting(item.id))}</span>
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

function factsOf(
  { status, exitCode, durationMs }: CommandExecutionItem,
  isWaitingForUser: boolean,
): string {
  if (status === "declined") return "declined";
  if (isWaitingForUser) return "waiting for you";
  if (status === "inProgress") return "running";
  const code = exitCode === null || exitCode === 0 ? "" : `exit ${exitCode}`;
  const time = durationMs === null ? "" : durationText(durationMs);
  return [code, time].filter((text) => text !== "").join(" · ");
}

/** The last lines of output while it arrives, in a window that does not grow. */
function LiveOutput({ text }: { text: string }) {
  if (text === "") return null;
  const lines = text.slice(-20_000).replace(/\n$/, "").split("\n").slice(-liveLines);
  return <pre class="output live">{withColors(lines.join("\n"))}</pre>;
}

function Output({ text }: { text: string }) {
  const isOpen = useSignal(false);
  if (text.trim() === "") return null;
  const lines = text.slice(0, mostOutput).replace(/\n$/, "").split("\n");
  const isShort = lines.length <= headLines + tailLines + 2 && text.length < 4000;
  if (isShort) return <pre class="output">{withColors(text.replace(/\n$/, ""))}</pre>;
  const cut = text.length > mostOutput ? "\n… the rest is too long to show" : "";
  const toggle = () => {
    isOpen.value = !isOpen.value;
  };
  if (isOpen.value) {
    return (
      <div class="folded-output">
        <div class="row">
          <button type="button" class="ghost small" aria-expanded="true" onClick={toggle}>
            Show less
          </button>
          <CopyButton text={text} />
        </div>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls */}
        <pre class="output all" tabIndex={0}>
          {withColors(`${lines.join("\n")}${cut}`)}
        </pre>
      </div>
    );
  }
  const clip = (line: string) => (line.length > 600 ? `${line.slice(0, 600)}…` : line);
  const hidden = lines.length - headLines - tailLines;
  return (
    <div class="folded-output">
      <pre class="output">{withColors(lines.slice(0, headLines).map(clip).join("\n"))}</pre>
      <button type="button" class="ghost small more" aria-expanded="false" onClick={toggle}>
        {hidden > 0 ? `⋯ ${counted(hidden, "more line")}` : "Show all"}
      </button>
      {hidden > 0 && (
        <pre class="output">{withColors(lines.slice(-tailLines).map(clip).join("\n"))}</pre>
      )}
    </div>
  );
}

const mostCommand = 20_000;
const headLines = 3;
const tailLines = 5;
const liveLines = 8;
/** Longer output is cut: the page must stay usable. */
const mostOutput = 1_000_000;
