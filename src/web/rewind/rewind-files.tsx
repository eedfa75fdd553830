import type { RewindFile, ThreadRewindResponse } from "../../protocol/rpc/v2/rewind.js";
import { counted } from "../lib/format.js";
import { shownPath } from "../state/paths.js";

/** Files that a rewind restores, those that it leaves, and what it may miss. */
export function RewindFiles({
  preview: { files, conflicts, limits },
  isUnchanged,
}: {
  preview: ThreadRewindResponse;
  /** True if the files are not rewound. */
  isUnchanged: boolean;
}) {
  return (
    <div class={isUnchanged ? "rewind-files left" : "rewind-files"}>
      {files.length === 0 ? (
        <p class="muted">No file changes.</p>
      ) : (
        <>
          <h3 class="facts">{counted(files.length, "file")}</h3>
          <ul aria-label="Files">
            {files.slice(0, mostShown).map((file) => (
              <File key={file.path} file={file} />
            ))}
          </ul>
          {files.length > mostShown && (
            <p class="muted">and {counted(files.length - mostShown, "more file")}</p>
          )}
        </>
      )}
      {conflicts.length > 0 && (
        <>
          <h3 class="facts conflict">
            {counted(conflicts.length, "file")} changed since, left as {pronoun(conflicts.length)}
          </h3>
          <ul aria-label="Conflicts">
            {conflicts.slice(0, mostShown).map(({ path, reason }) => (
              <li key={path} class="rewind-file">
                <span class="mono grow">{shownPath(path)}</span>
                <span class="muted">{reason}</span>
              </li>
            ))}
          </ul>
        </>
      )}
      {limits.map((text) => (
        <p key={text} class="muted">
          {text}
        </p>
      ))}
    </div>
  );
}

function File({ file: { path, kind, additions, deletions, isBinary } }: { file: RewindFile }) {
  return (
    <li class="rewind-file">
      <span class="mono grow">{shownPath(path)}</span>
      {kind !== "update" && <span class="muted">{kindWords[kind]}</span>}
      {isBinary && <span class="muted">binary</span>}
      {additions > 0 && <span class="count-add">+{additions}</span>}
      {deletions > 0 && <span class="count-remove">−{deletions}</span>}
    </li>
  );
}

function pronoun(count: number): string {
  return count === 1 ? "it is" : "they are";
}

const kindWords = { add: "comes back", delete: "is deleted" };
const mostShown = 200;
