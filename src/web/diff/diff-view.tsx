import { signal, useSignal } from "@preact/signals";
import { useMemo } from "preact/hooks";
import type { FileUpdateChange } from "../../protocol/rpc/v2/item-parts.js";
import { conversationWidth, host } from "../conversation/host.js";
import { counted } from "../lib/format.js";
import { loadedHighlighter } from "../markdown/code-block.js";
import { shownPath } from "../state/paths.js";
import { type LineColors, lineColors, styledLine } from "./line-colors.js";
import { countChanges, type DiffLine, diffLines, toPairs } from "./parse-diff.js";

/** Changes of files: a header and the changed lines for each; side by side if there is room. */
export function DiffView({
  changes,
  canSplit = false,
}: {
  changes: readonly FileUpdateChange[];
  canSplit?: boolean;
}) {
  const hasRoom = isWideWindow.value && conversationWidth.value >= leastSplitWidth;
  const files = useMemo(() => changes.map(toFile), [changes]);
  const hasTwoSides = ({ added, removed }: FileLines) =>
    canSplit && hasRoom && added > 0 && removed > 0;
  const isWide = isSplitChosen.value && files.some(hasTwoSides);
  return (
    <div class={isWide ? "wide-diff" : undefined}>
      {files.map((file) => (
        <FileDiff key={file.change.path} file={file} hasTwoSides={hasTwoSides(file)} />
      ))}
    </div>
  );
}

/** A changed file with the lines of its diff. */
interface FileLines {
  change: FileUpdateChange;
  lines: readonly DiffLine[];
  added: number;
  removed: number;
}

function toFile(change: FileUpdateChange): FileLines {
  const lines = diffLines(change);
  return { change, lines, ...countChanges(lines) };
}

function FileDiff({
  file: { change, lines, added, removed },
  hasTwoSides,
}: {
  file: FileLines;
  hasTwoSides: boolean;
}) {
  const highlighter = loadedHighlighter();
  const colors = useMemo(() => lineColors(lines, change.path, highlighter), [lines, highlighter]);
  const showsAll = useSignal(lines.length <= mostLines);
  const isOpen = useSignal(true);
  const shown = showsAll.value ? lines : lines.slice(0, mostLines);
  const isSplit = hasTwoSides && isSplitChosen.value;
  const isOneSided = added === lines.length || removed === lines.length;
  return (
    <div class="file-diff">
      <div class="file-head">
        <button
          type="button"
          class="file-fold"
          aria-expanded={isOpen.value}
          onClick={() => {
            isOpen.value = !isOpen.value;
          }}
        >
          <span class="chevron" aria-hidden="true" />
          <span class="file-name">{nameOf(change)}</span>
          <span class="file-kind">{kinds[change.kind.type]}</span>
          {added > 0 && <span class="count-add">+{added}</span>}
          {removed > 0 && <span class="count-remove">−{removed}</span>}
        </button>
        <FileActions change={change} canSplit={hasTwoSides} />
      </div>
      {isOpen.value && (
        <div
          class={`diff-lines ${isOneSided ? "one-sided" : ""}`}
          style={{ containIntrinsicBlockSize: `auto ${shown.length * lineHeight}px` }}
        >
          {isSplit ? (
            <SplitLines lines={shown} colors={colors} />
          ) : (
            <UnifiedLines lines={shown} colors={colors} />
          )}
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

function FileActions({ change, canSplit }: { change: FileUpdateChange; canSplit: boolean }) {
  const { viewFile } = host.value;
  const path = (change.kind.type === "update" && change.kind.move_path) || change.path;
  return (
    <span class="file-actions">
      {canSplit && (
        <button type="button" class="ghost small" onClick={() => chooseSplit(!isSplitChosen.value)}>
          {isSplitChosen.value ? "Unified" : "Side by side"}
        </button>
      )}
      {viewFile !== undefined && change.kind.type !== "delete" && (
        <button
          type="button"
          class="ghost small"
          aria-label={`View file ${shownPath(path)}`}
          onClick={() => viewFile(path)}
        >
          View file
        </button>
      )}
    </span>
  );
}

/** Lines of a file, with the colors of their code. */
interface LinesProps {
  lines: readonly DiffLine[];
  colors: LineColors;
}

function UnifiedLines({ lines, colors }: LinesProps) {
  return (
    <>
      {lines.map((line, at) =>
        line.kind === "gap" ? (
          <Gap key={at} line={line} />
        ) : (
          <div key={at} class={`diff-line ${line.kind}`}>
            <span class="line-number" aria-hidden="true">
              {line.old}
            </span>
            <span class="line-number" aria-hidden="true">
              {line.new}
            </span>
            <LineText line={line} colors={colors} />
          </div>
        ),
      )}
    </>
  );
}

/** The old lines on the left, the new ones on the right. */
function SplitLines({ lines, colors }: LinesProps) {
  const pairs = useMemo(() => toPairs(lines), [lines]);
  return (
    <>
      {pairs.map(({ old, new: next }, at) =>
        old?.kind === "gap" ? (
          <Gap key={at} line={old} />
        ) : (
          <div key={at} class="diff-pair">
            <Side line={old} number={old?.old} colors={colors} />
            <Side line={next} number={next?.new} colors={colors} isRepeated={old === next} />
          </div>
        ),
      )}
    </>
  );
}

function Side({
  line,
  number,
  colors,
  isRepeated = false,
}: {
  line: DiffLine | undefined;
  number: number | undefined;
  colors: LineColors;
  isRepeated?: boolean;
}) {
  if (line === undefined) return <div class="diff-line none" />;
  return (
    // An unchanged line is read once.
    <div class={`diff-line ${line.kind}`} aria-hidden={isRepeated ? "true" : undefined}>
      <span class="line-number" aria-hidden="true">
        {number}
      </span>
      <LineText line={line} colors={colors} />
    </div>
  );
}

function Gap({ line }: { line: DiffLine }) {
  return <div class="diff-gap">{line.text || "⋯"}</div>;
}

function LineText({ line, colors }: { line: DiffLine; colors: LineColors }) {
  const Text = line.kind === "add" ? "ins" : line.kind === "remove" ? "del" : "span";
  return (
    <>
      <span class="line-sign" aria-hidden="true">
        {line.kind === "add" ? "+" : line.kind === "remove" ? "−" : " "}
      </span>
      <Text class="line-text">{styledLine(line, colors.get(line))}</Text>
    </>
  );
}

function nameOf({ path, kind }: FileUpdateChange): string {
  const name = shownPath(path);
  return kind.type === "update" && kind.move_path ? `${name} → ${shownPath(kind.move_path)}` : name;
}

const wide = matchMedia("(min-width: 1100px)");
const isWideWindow = signal(wide.matches);
wide.addEventListener("change", ({ matches }) => {
  isWideWindow.value = matches;
});

const splitKey = "quire.diff";
const isSplitChosen = signal(readSplit());

function readSplit(): boolean {
  try {
    return localStorage.getItem(splitKey) !== "unified";
  } catch {
    return true; // an exported file may have no storage
  }
}

function chooseSplit(isSplit: boolean): void {
  isSplitChosen.value = isSplit;
  try {
    localStorage.setItem(splitKey, isSplit ? "split" : "unified");
  } catch {
    // It is forgotten with the page.
  }
}

const kinds = { add: "added", delete: "deleted", update: "" };
const mostLines = 300;
/** In pixels, for lines that were never in sight. */
const lineHeight = 20;
/** Width of the conversation that two columns of code need. */
const leastSplitWidth = 800;
