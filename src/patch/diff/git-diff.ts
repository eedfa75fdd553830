import { unifiedDiff } from "./unified-diff.js";

/** A file as a git diff knows it. */
export interface GitFile {
  mode: "100644" | "100755" | "120000";
  /** The name git gives the contents. */
  blobId: string;
  /** The contents; missing when they are not text or too large to be compared. */
  text: string | undefined;
  /** The contents as `GIT binary patch` has them; when missing, the diff only says they differ. */
  binary?: string;
}

/** One file of a git diff: where it was and is, and what it was and is. */
export interface GitFileDiff {
  oldPath: string;
  newPath: string;
  /** Nothing when the file is new. */
  before: GitFile | undefined;
  /** Nothing when the file is gone. */
  after: GitFile | undefined;
}

const NO_BLOB = "0".repeat(40);
const NO_FILE = "/dev/null";

/** Writes one file of a git diff; empty when contents and mode are the same, wherever the file is. */
export function gitFileDiff({ oldPath, newPath, before, after }: GitFileDiff): string {
  const sameContents = before?.blobId === after?.blobId;
  const sameMode = before?.mode === after?.mode;
  if ((!before && !after) || (sameContents && sameMode)) return "";

  const oldName = quoteName(`a/${oldPath}`);
  const newName = quoteName(`b/${newPath}`);
  const lines = [`diff --git ${oldName} ${newName}\n`];
  if (!before) lines.push(`new file mode ${after?.mode}\n`);
  else if (!after) lines.push(`deleted file mode ${before.mode}\n`);
  else if (!sameMode) lines.push(`old mode ${before.mode}\nnew mode ${after.mode}\n`);
  if (sameContents) return lines.join("");

  lines.push(`index ${before?.blobId ?? NO_BLOB}..${after?.blobId ?? NO_BLOB}\n`);
  const header = { oldName: before ? oldName : NO_FILE, newName: after ? newName : NO_FILE };
  const isText = (!before || before.text !== undefined) && (!after || after.text !== undefined);
  if (isText) lines.push(unifiedDiff(before?.text ?? "", after?.text ?? "", { header }));
  else lines.push(binaryDiff(header, before, after));
  return lines.join("");
}

function binaryDiff(
  header: { oldName: string; newName: string },
  before: GitFile | undefined,
  after: GitFile | undefined,
): string {
  const isWhole =
    (!before || before.binary !== undefined) && (!after || after.binary !== undefined);
  if (!isWhole) return `--- ${header.oldName}\n+++ ${header.newName}\nBinary files differ\n`;
  const nothing = "literal 0\nHcmV?d00001\n\n";
  return `GIT binary patch\n${after?.binary ?? nothing}${before?.binary ?? nothing}`;
}

/** Names with signs that would end them are written as git does, in quotes. */
function quoteName(name: string): string {
  if (!/[\x00-\x1f\x7f"\\]/.test(name)) return name;
  const quoted = name.replace(/[\x00-\x1f\x7f"\\]/g, (char) => {
    const short: Record<string, string> = { "\n": "\\n", "\t": "\\t", '"': '\\"', "\\": "\\\\" };
    return short[char] ?? `\\${char.charCodeAt(0).toString(8).padStart(3, "0")}`;
  });
  return `"${quoted}"`;
}
