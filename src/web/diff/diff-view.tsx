import { useSignal } from "@preact/signals";
import { useMemo } from "preact/hooks";
import type { FileUpdateChange } from "../../protocol/rpc/v2/item-parts.js";
import { counted } from "../lib/format.js";
import { shownPath } from "../state/paths.js";
import { countChanges, type DiffLine, diffLines } from "./parse-diff.js";

/** Changes of files: a header and the changed lines for each. */
export function DiffView({ changes }: { changes: readonly FileUpdateChange[] }) {
  return (
    <>
      {changes.map((change) => (
        <FileDiff key={change.path} change={change} />
      ))}
    </>
  );
}

function FileDiff({ change }: { change: FileUpdateChange }) {
  const lines = useMemo(() => diffLines(change), [change]);
  const { added, removed } = countChanges(lines);
  const showsAll = useSignal(lines.length <= mostLines);
  const isOpen = useSignal(true);
  const shown = showsAll.value ? lines : lines.slice(0, mostLines);
  return (
    <div class="file-diff">
      <button
        type="button"
        class="file-head"
        aria-expanded={isOpen.value}
        onClick={() => {
          isOpen.value = !isOpen.value;
        }}
      >
        <span class="file-name">{nameOf(change)}</span>
        <span class="file-kind">{kinds[change.kind.type]}</span>
        <span class="count-add">+{added}</span>
        <span class="count-remove">−{removed}</span>
      </button>
      {isOpen.value && (
        <div class="diff-lines">
          {shown.map((line, at) => (
            <Line key={at} line={line} />
          ))}
          {!showsAll.value && (
            <button
              type="button"
              class="ghost small more"
              onClick={() => {
                showsAll.value = true;
              }}
            >
              Show {counted(lines.length - mostLines, "more line")}
            </button>
          )}
        </div>
      )}
    </div>
  );
}

function Line({ line }: { line: DiffLine }) {
  if (line.kind === "gap") return <div class="diff-gap">{line.text || "⋯"}</div>;
  const Text = line.kind === "add" ? "ins" : line.kind === "remove" ? "del" : "span";
  return (
    <div class={`diff-line ${line.kind}`}>
      <span class="line-number" aria-hidden="true">
        {line.new ?? line.old}
      </span>
      <span class="line-sign" aria-hidden="true">
        {line.kind === "add" ? "+" : line.kind === "remove" ? "−" : " "}
      </span>
      <Text class="line-text">{emphasized(line)}</Text>
    </div>
  );
}

function emphasized({ text, emphasis }: DiffLine) {
  if (emphasis === undefined || emphasis[0] >= emphasis[1]) return text;
  const [start, end] = emphasis;
  return (
    <>
      {text.slice(0, start)}
      <b>{text.slice(start, end)}</b>
      {text.slice(end)}
    </>
  );
}

function nameOf({ path, kind }: FileUpdateChange): string {
  const name = shownPath(path);
  return kind.type === "update" && kind.move_path ? `${name} → ${shownPath(kind.move_path)}` : name;
}

const kinds = { add: "added", delete: "deleted", update: "" };
const mostLines = 300;
