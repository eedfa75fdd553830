import { execFile } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { Skipped } from "./check.js";
import type { Scene } from "./scene.js";

const PATIENCE_MS = 30_000;
const LOOK_MS = 100;

/**
 * A program in a separate terminal, used like a person would: by keys and by reading the screen. Dispose
 * it.
 */
export class Terminal implements AsyncDisposable {
  readonly #socket: string;
  readonly #signal: AbortSignal;

  private constructor(socket: string, signal: AbortSignal) {
    this.#socket = socket;
    this.#signal = signal;
  }

  /** Starts the program in the workspace of the scene. Throws `Skipped` where tmux is missing. */
  static async open(scene: Scene, command: string[], signal: AbortSignal): Promise<Terminal> {
    const terminal = new Terminal(`quire-interop-${process.pid}-${opened++}`, signal);
    const env = Object.entries(scene.env).flatMap(([name, value]) => ["-e", `${name}=${value}`]);
    const size = ["-x", "110", "-y", "50"];
    try {
      await terminal.#tmux("new-session", "-d", ...size, ...env, "-c", scene.workspace, ...command);
    } catch (error) {
      if ((error as { code?: unknown }).code !== "ENOENT") throw error;
      throw new Skipped("tmux is not installed");
    }
    return terminal;
  }

  /** Presses keys, by the names of tmux. */
  async press(...keys: string[]): Promise<void> {
    await this.#tmux("send-keys", ...keys);
    // Programs treat input that arrives at once as pasted.
    await sleep(300);
  }

  /** Writes a line, sees it written, and sends it off. */
  async say(text: string): Promise<void> {
    await this.#tmux("send-keys", "-l", text);
    await this.until(new RegExp(text.replaceAll(/[.?/]/g, "\\$&")));
    await sleep(700);
    await this.press("Enter");
  }

  /** Waits until the screen shows one of these, and returns which; throws with the screen. */
  async until(...patterns: RegExp[]): Promise<number> {
    const end = Date.now() + PATIENCE_MS;
    for (;;) {
      this.#signal.throwIfAborted();
      const screen = await this.screen();
      const found = patterns.findIndex((pattern) => pattern.test(screen));
      if (found >= 0) return found;
      if (Date.now() > end)
        throw new Error(`waited for ${patterns.join(" or ")} and saw${indent(screen)}`);
      await sleep(LOOK_MS);
    }
  }

  /** Waits until the program has ended; throws with the screen. */
  async untilClosed(): Promise<void> {
    const end = Date.now() + PATIENCE_MS;
    for (;;) {
      this.#signal.throwIfAborted();
      const screen = await this.screen().catch(() => undefined);
      if (screen === undefined) return; // the terminal is gone with its program
      if (Date.now() > end) throw new Error(`waited for the end and saw${indent(screen)}`);
      await sleep(LOOK_MS);
    }
  }

  /** Visible text of the screen. */
  async screen(): Promise<string> {
    return this.#tmux("capture-pane", "-p");
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#tmux("kill-server").catch(() => {}); // it may have ended with its program
  }

  async #tmux(...args: string[]): Promise<string> {
    const { stdout } = await promisify(execFile)("tmux", [
      "-L",
      this.#socket,
      "-f",
      "/dev/null",
      ...args,
    ]);
    return stdout;
  }
}

let opened = 0;

function indent(screen: string): string {
  const lines = screen.split("\n").filter((line) => line.trim() !== "");
  return lines.map((line) => `\n      ${line}`).join("");
}
