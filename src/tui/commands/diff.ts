import { readHunks } from "../cells/diff.js";
import { diffLines } from "../cells/patch.js";
import { reveal } from "../text/sanitize.js";
import type { View } from "../view.js";
import { type CommandContext, type SlashCommand, say } from "./command.js";

/** Shows what changed. */
export const diff: SlashCommand = {
  name: "diff",
  summary: "Show uncommitted changes, including untracked files",
  isAlwaysReady: true,
  async run(context) {
    const text = await uncommitted(context);
    if (text.trim() === "") say(context, "No uncommitted changes");
    else await context.ui.pages("Changes", (view) => unifiedLines(text, view));
  },
};

/**
 * Git runs on the machine of the server; without it, or without a sandbox, the last turn's own diff
 * is shown.
 *
 * It runs read-only whatever the session may do: the repository's settings can name programs, and
 * whoever asks for a diff has not asked for those.
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
  // A repository without a commit has no HEAD; then all there is is new.
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

/** More of them are no change but a download. */
const mostNewFiles = 50;

/** A diff of several files in colour, with the name of each above its rows. */
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
