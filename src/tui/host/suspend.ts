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
