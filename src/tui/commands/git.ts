import type { CommandContext } from "./command.js";

/**
 * Runs git in the folder of the session; resolves with its output, or undefined if it failed.
 *
 * Git runs on the server's machine, and read-only whatever the permissions of the session: the
 * repository's configuration can name programs to run, which the user did not ask for.
 */
export async function git(
  { server, session }: Pick<CommandContext, "server" | "session">,
  ...args: string[]
): Promise<string | undefined> {
  const cwd = session.conversation.status.settings?.cwd;
  const result = await server
    .request("command/exec", {
      command: ["git", "--no-optional-locks", ...plainSettings, ...args],
      ...(cwd === undefined ? {} : { cwd }),
      sandboxPolicy: { type: "readOnly" },
      timeoutMs: 20_000,
    })
    .catch(() => undefined);
  // `git diff --no-index` reports differences by its exit code.
  return result === undefined || result.exitCode > 1 ? undefined : result.stdout;
}

const plainSettings = ["-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null"];
