import { spawn } from "node:child_process";
import { takeFirstBytes } from "../lib/text.js";

/** That a turn has ended, as the user's own program is told. */
export interface TurnNotification {
  type: "agent-turn-complete";
  "thread-id"?: string;
  "turn-id": string;
  cwd?: string;
  "input-messages": string[];
  "last-assistant-message": string | null;
}

/** How the user's program is started. */
export interface NotifyOptions {
  /** The program and its arguments; no shell reads them. */
  argv: readonly string[];
  cwd?: string | undefined;
  /** Told when the program cannot be started; nobody waits for it otherwise. */
  onFailure?: ((error: unknown) => void) | undefined;
}

/**
 * Starts the program the user wants to be told by, with the notification as its last argument.
 *
 * Neither waited for nor listened to: whatever it does, the turn is not held up.
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

/** Linux takes no argument of 128 KiB or more; a shortened message is better than none. */
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
