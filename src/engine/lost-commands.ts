import { outcomeUnknown } from "../protocol/lost-items.js";
import type { EventMsg } from "../protocol/types.js";

/** Commands of a turn that ran when its engine was lost, so that their outcome is unknown. */
export class LostCommands {
  /** Commands without a known end, by call. */
  readonly #commands = new Map<string, string>();

  /** Reads the events of the turn up to the loss. */
  constructor(events: readonly EventMsg[]) {
    for (const msg of events) {
      if (msg.type === "exec_command_begin") {
        this.#commands.set(msg.call_id, keyOf(msg.command, msg.cwd));
      } else if (msg.type === "exec_command_end" && msg.stderr !== outcomeUnknown) {
        this.#end(msg.call_id);
      }
    }
  }

  has(argv: readonly string[], cwd: string): boolean {
    return [...this.#commands.values()].includes(keyOf(argv, cwd));
  }

  /** A repetition that has ended makes the outcome known. */
  #end(callId: string): void {
    const ended = this.#commands.get(callId);
    for (const [id, key] of this.#commands) if (key === ended) this.#commands.delete(id);
  }
}

function keyOf(argv: readonly string[], cwd: string): string {
  return JSON.stringify([cwd, ...argv]);
}
