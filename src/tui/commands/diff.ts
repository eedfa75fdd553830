import { readHunks } from "../cells/diff.js";
import { diffLines } from "../cells/patch.js";
import { reveal } from "../text/sanitize.js";
import type { View } from "../view.js";
import { type CommandContext, printNotice, type SlashCommand } from "./command.js";
import { git } from "./git.js";

/** `/diff` */
export const diff: SlashCommand = {
  name: "diff",
  summary: "Show uncommitted changes, including untracked files",
  isAlwaysReady: true,
  async run(context) {
    const text = await uncommitted(context);
    if (text.trim() === "") printNotice(context, "No uncommitted changes");
    else await context.ui.pages("Changes", (view) => unifiedLines(text, view));
  },
};

/**
 * Returns the uncommitted changes, or the diff of the last turn if git or the sandbox is
 * unavailable.
 */
async function uncommitted(context: CommandContext): Promise<string> {
  const others = await git(context, "ls-files", "--others", "--exclude-standard", "-z");
  if (others === undefined) return context.session.conversation.status.diff;
  // Without a commit there is no HEAD; then every file is untracked.
  const tracked = await git(context, "diff", ...plainDiff, "HEAD");
  const files = others.split("\0").filter((file) => file !== "");
  const added = await Promise.all(
    files
      .slice(0, mostNewFiles)
      .map((file) => git(context, "diff", ...plainDiff, "--no-index", "--", "/dev/null", file)),
  );
  return [tracked, ...added].map((text) => text ?? "").join("");
}

const plainDiff = ["--no-ext-diff", "--no-textconv"];

/** Limit of untracked files shown; more are likely a download, not an edit. */
const mostNewFiles = 50;

/** Renders the diff of several files, each under its name. */
function unifiedLines(text: string, view: View): string[] {
  const { theme } = view;
  const files = text.split(/^(?=diff --git )/m).filter((part) => part.trim() !== "");
  return files.flatMap((part) => {
    const { added, removed } = readHunks(part);
    const name =
      /^(?:rename to |\+\+\+ b\/)(.*)$/m.exec(part)?.[1] ?? /^--- a\/(.*)$/m.exec(part)?.[1];
    const title = reveal(name ?? part.split("\n")[0] ?? "");
    const counts = `(${theme.added(`+${added}`)} ${theme.removed(`-${removed}`)})`;
    return [
      "",
      `  ${theme.bold(theme.name(title))} ${counts}`,
      ...diffLines(readHunks(part), view, Number.POSITIVE_INFINITY),
    ];
  });
}
