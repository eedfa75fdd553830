import { readHunks } from "../cells/diff.js";
import { diffLines } from "../cells/patch.js";
import { reveal } from "../text/sanitize.js";
import type { View } from "../view.js";
import { type CommandContext, printNotice, type SlashCommand } from "./command.js";

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
 *
 * Git runs on the server's machine, and read-only whatever the permissions of the session: the
 * repository's configuration can name programs to run, which the user did not ask for.
 */
async function uncommitted({ server, session }: CommandContext): Promise<string> {
  const { status } = session.conversation;
  const cwd = status.settings?.cwd;
  const git = (...args: string[]) =>
    server.request("command/exec", {
      command: ["git", "--no-optional-locks", ...plainSettings, ...args],
      ...(cwd === undefined ? {} : { cwd }),
      sandboxPolicy: { type: "readOnly" },
      timeoutMs: 20_000,
    });
  const others = await git("ls-files", "--others", "--exclude-standard", "-z").catch(
    () => undefined,
  );
  if (others === undefined || others.exitCode !== 0) return status.diff;
  // Without a commit there is no HEAD; then every file is untracked.
  const tracked = await git("diff", ...plainDiff, "HEAD");
  const files = others.stdout.split("\0").filter((file) => file !== "");
  const added = await Promise.all(
    files
      .slice(0, mostNewFiles)
      .map((file) => git("diff", ...plainDiff, "--no-index", "--", "/dev/null", file)),
  );
  return [tracked, ...added].map(({ stdout }) => stdout).join("");
}

const plainSettings = ["-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null"];
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
