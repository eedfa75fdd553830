import type { ToolCallContent, ToolCallLocation } from "@agentclientprotocol/sdk";
import { lineCount } from "../../lib/text.js";
import type { FileUpdateChange } from "../../protocol/rpc/v2/item-parts.js";

/** Converts file changes to diffs of ACP: one for each part of a changed file, with its context. */
export function toDiffs(changes: readonly FileUpdateChange[]): ToolCallContent[] {
  let room = mostBytes;
  return changes.flatMap((change) => {
    room -= change.diff.length;
    return room < 0 ? [tooLarge(change)] : toParts(change);
  });
}

/** The editor gets at most so much of a patch; the files have the rest. */
const mostBytes = 1024 * 1024;

function tooLarge({ path, diff }: FileUpdateChange): ToolCallContent {
  const text = `${path}: ${lineCount(diff)} lines, too large to show here`;
  return { type: "content", content: { type: "text", text } };
}

function toParts(change: FileUpdateChange): ToolCallContent[] {
  const { kind, diff } = change;
  const path = newPath(change);
  if (kind.type === "add") return [{ type: "diff", path, oldText: null, newText: diff }];
  if (kind.type === "delete") return [{ type: "diff", path, oldText: diff, newText: "" }];
  return hunksOf(diff).map(({ oldText, newText }) => ({ type: "diff", path, oldText, newText }));
}

/** Returns the places of file changes, for editors that follow the agent. */
export function toLocations(changes: readonly FileUpdateChange[]): ToolCallLocation[] {
  return changes.slice(0, mostLocations).map((change) => {
    const line = change.kind.type === "update" ? hunksOf(change.diff, 1)[0]?.line : undefined;
    return { path: newPath(change), ...(line === undefined ? {} : { line }) };
  });
}

const mostLocations = 100;

function newPath({ path, kind }: FileUpdateChange): string {
  return (kind.type === "update" ? kind.move_path : undefined) ?? path;
}

interface Hunk {
  /** First line in the new file, from 1 on. */
  line: number;
  oldText: string;
  newText: string;
}

function hunksOf(diff: string, most = Number.POSITIVE_INFINITY): Hunk[] {
  const hunks: Hunk[] = [];
  let last = " ";
  for (const line of diff.split(/(?<=\n)/)) {
    const header = /^@@ -\d+(?:,\d+)? \+(\d+)/.exec(line);
    if (header !== null) {
      if (hunks.length >= most) break;
      hunks.push({ line: Number(header[1]), oldText: "", newText: "" });
      continue;
    }
    const hunk = hunks.at(-1);
    if (hunk === undefined) continue;
    const [sign = " ", text] = [line[0], line.slice(1)];
    if (sign === "\\") withoutLastBreak(hunk, last);
    else last = sign;
    if (sign === " " || sign === "-") hunk.oldText += text;
    if (sign === " " || sign === "+") hunk.newText += text;
  }
  return hunks;
}

/** Applies `\ No newline at end of file`, which is about the line before it. */
function withoutLastBreak(hunk: Hunk, sign: string): void {
  if (sign !== "+") hunk.oldText = hunk.oldText.replace(/\n$/, "");
  if (sign !== "-") hunk.newText = hunk.newText.replace(/\n$/, "");
}
