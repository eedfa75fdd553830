import { spawn } from "node:child_process";
import { takeFirstBytes } from "../lib/text.js";

/** Argument of the user's `notify` program: a turn has ended. */
export interface TurnNotification {
  type: "agent-turn-complete";
  "thread-id"?: string;
  "turn-id": string;
  cwd?: string;
  "input-messages": string[];
  "last-assistant-message": string | null;
}

/** Options for starting the user's program. */
export interface NotifyOptions {
  /** Program and arguments; run without a shell. */
  argv: readonly string[];
  cwd?: string | undefined;
  /** Called if the program cannot be started; its exit is not awaited. */
  onFailure?: ((error: unknown) => void) | undefined;
}

/**
 * Starts the user's `notify` program, with the notification as its last argument.
 *
 * The program is neither awaited nor read, so it cannot delay a turn.
 */
export function notifyUser(notification: TurnNotification, options: NotifyOptions): void {
  const [program, ...args] = options.argv;
  if (program === undefined || program === "") return;
  try {
    const child = spawn(program, [...args, toArgument(notification)], {
      cwd: options.cwd,
      stdio: "ignore",
      detached: true,
    });
    child.on("error", (error) => options.onFailure?.(error));
    child.unref();
  } catch (error) {
    options.onFailure?.(error);
  }
}

/** Linux rejects arguments of 128 KiB or more; long messages are shortened. */
const maxArgumentBytes = 120 * 1024;

function toArgument(notification: TurnNotification): string {
  const whole = JSON.stringify(notification);
  if (Buffer.byteLength(whole) <= maxArgumentBytes) return whole;
  const last = notification["last-assistant-message"];
  for (let limit = 16 * 1024; ; limit = Math.floor(limit / 2)) {
    const shortened = JSON.stringify({
      ...notification,
      "input-messages": notification["input-messages"]
        .slice(-8)
        .map((text) => shorten(text, limit)),
      "last-assistant-message": last === null ? null : shorten(last, limit),
    });
    if (Buffer.byteLength(shortened) <= maxArgumentBytes || limit === 0) return shortened;
  }
}

function shorten(text: string, maxBytes: number): string {
  const head = takeFirstBytes(text, maxBytes);
  return head.length === text.length ? text : `${head}…`;
}
