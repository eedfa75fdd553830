import { spawn } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** The editor of the user, or nothing when the environment names none. */
export function editorCommand(env: Readonly<Record<string, string | undefined>>) {
  return env.VISUAL || env.EDITOR || undefined;
}

/**
 * Lets the user write in their editor, which has the terminal meanwhile.
 *
 * Resolves with the text, or with nothing when the editor failed.
 */
export async function editExternally(text: string, command: string): Promise<string | undefined> {
  const folder = await mkdtemp(join(tmpdir(), "quire-edit-"));
  const file = join(folder, "message.md");
  try {
    await writeFile(file, text, { mode: 0o600 });
    // The variable may hold arguments, so a shell reads it; the file goes by its own argument.
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

/** The part of the screen that suspending needs. */
interface SuspendedScreen {
  pause(): void;
  start(): void;
}

/** Time for the signal to arrive, in milliseconds. */
const signalMs = 50;

/** Can this system stop a program and continue it? */
export const canSuspend = process.platform !== "win32";

/**
 * Stops the program like Ctrl-Z in a shell: the terminal is restored first and redrawn afterwards.
 *
 * The signal goes to the process group, so that a shell also gets control back from a program that
 * started this one. Without a shell that can continue it, the system ignores the signal; then the
 * screen comes back at once.
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
