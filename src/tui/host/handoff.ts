import { spawn } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Returns the editor set in the environment. */
export function editorCommand(env: Readonly<Record<string, string | undefined>>) {
  return env.VISUAL || env.EDITOR || undefined;
}

/**
 * Edits text in an external editor, which takes over the terminal.
 *
 * Resolves with undefined if the editor failed.
 */
async function editExternally(text: string, command: string): Promise<string | undefined> {
  const folder = await mkdtemp(join(tmpdir(), "quire-edit-"));
  const file = join(folder, "message.md");
  try {
    await writeFile(file, text, { mode: 0o600 });
    // The variable may contain arguments, so a shell expands it.
    const child = spawn("/bin/sh", ["-c", `${command} "$1"`, "sh", file], { stdio: "inherit" });
    const code = await new Promise((resolve) => {
      child.once("close", resolve);
      child.once("error", () => resolve(-1));
    });
    if (code !== 0) return undefined;
    return (await readFile(file, "utf8")).replace(/\n+$/, "");
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Pauses the screen while an external editor has the terminal. */
export async function editOutside(
  screen: SuspendedScreen,
  text: string,
  command: string,
): Promise<string | undefined> {
  screen.pause();
  try {
    return await editExternally(text, command);
  } finally {
    screen.start();
  }
}

/** The methods of the screen that suspending needs. */
interface SuspendedScreen {
  pause(): void;
  start(): void;
}

/** Time for the signal to arrive. */
const signalMs = 50;

/** Windows cannot suspend a process. */
export const canSuspend = process.platform !== "win32";

/**
 * Suspends the process, as Ctrl-Z in a shell does. Restores the terminal first and redraws
 * afterwards.
 *
 * The signal goes to the whole process group, so that a shell also regains control if another
 * program started this one. Without a shell that can continue it, the system ignores the signal;
 * then the screen comes back at once.
 */
export async function suspend(screen: SuspendedScreen): Promise<void> {
  screen.pause();
  await new Promise<void>((resolve) => {
    process.once("SIGCONT", resolve);
    process.kill(0, "SIGTSTP");
    setTimeout(() => {
      process.removeListener("SIGCONT", resolve);
      resolve();
    }, signalMs);
  });
  screen.start();
}
