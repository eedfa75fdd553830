import { type Era, type EventBehavior, eventWireOf, type UnionWire } from "../compat/index.js";
import type { Event, EventMsg, FileChange, SessionConfiguredEvent } from "../protocol/types.js";
import {
  toKeyedFileChange,
  toOkOrErr,
  toTaggedFileChange,
  toTypePolicy,
} from "../protocol/write.js";

/**
 * Brings events into the form of an era.
 *
 * The codec drops what the era does not have, by the dates in the schemas; the conversions here are of
 * parts that an era spells in another way.
 */
export class EraEvents {
  #wire: UnionWire;
  #behavior: EventBehavior;

  constructor({ name, events }: Era) {
    this.#wire = eventWireOf(name);
    this.#behavior = events;
  }

  /** Returns the message of an event with its turn and item ids; undefined if the era hides it. */
  toShown(event: Event): unknown {
    return this.#isShown(event.msg) ? this.#toPlaced(event) : undefined;
  }

  /** Returns the message of an event for a client that requests all events. */
  toRequested(event: Event): unknown {
    return this.#toPlaced(event) ?? event.msg;
  }

  /** Converts the message of an event, most of which are the same in all eras. */
  toShape<Msg extends EventMsg>(msg: Msg): Msg {
    return this.#convert(this.#wire.encode(msg) ?? msg) as Msg;
  }

  #isShown(msg: EventMsg): boolean {
    // The client knows its own messages, but not those that the engine adds.
    return (
      this.#behavior.userMessages === "all" ||
      msg.type !== "user_message" ||
      msg.kind === "environment_context"
    );
  }

  #toPlaced(event: Event): unknown {
    const msg = this.#wire.encode(event.msg);
    if (msg === undefined) return undefined;
    const shaped = this.#convert(msg);
    return this.#behavior.placed ? inPlace(shaped, event) : shaped;
  }

  /** Converts what an era spells in another way. */
  #convert(msg: EventMsg): EventMsg {
    const { fileChange, mcpResult } = this.#behavior;
    switch (msg.type) {
      case "patch_apply_begin":
      case "apply_patch_approval_request":
      case "patch_apply_end":
      case "patch_apply_updated":
        return fileChange === "tagged" ? msg : withChanges(msg, fileChange);
      case "mcp_tool_call_end":
        return mcpResult === "wrapped"
          ? { ...msg, result: toOkOrErr(msg.result) as unknown as typeof msg.result }
          : msg;
      case "session_configured":
        return this.#withConvertedParts(msg);
      default:
        return msg;
    }
  }

  #withConvertedParts(msg: SessionConfiguredEvent): SessionConfiguredEvent {
    const { sandbox_policy: policy, initial_messages: messages } = msg;
    return {
      ...msg,
      // Eras that report the policy here use another format for it.
      ...(policy && { sandbox_policy: toTypePolicy(policy) as unknown as typeof policy }),
      ...(messages && { initial_messages: messages.map((one) => this.#convert(one)) }),
    };
  }
}

/** Adds the turn, or the item and its part, which some eras repeat in the message. */
function inPlace(msg: EventMsg, { turn_id, item_id, part }: Event): unknown {
  if (turn_id === undefined) return msg;
  if (msg.type === "agent_reasoning_section_break") return { ...msg, item_id, summary_index: part };
  return carriesTurnId.has(msg.type) ? { turn_id, ...msg } : msg;
}

const carriesTurnId: ReadonlySet<EventMsg["type"]> = new Set<EventMsg["type"]>([
  "task_started",
  "task_complete",
  "turn_aborted",
  "exec_command_begin",
  "exec_command_end",
  "exec_approval_request",
  "patch_apply_begin",
  "patch_apply_end",
  "apply_patch_approval_request",
]);

function withChanges<Msg extends { changes?: Record<string, FileChange> }>(
  msg: Msg,
  fileChange: EventBehavior["fileChange"],
): Msg {
  if (msg.changes === undefined) return msg;
  const write = fileChange === "keyed" ? toKeyedFileChange : toTaggedFileChange;
  const changes = Object.entries(msg.changes).map(
    ([path, change]) => [path, write(change)] as const,
  );
  return { ...msg, changes: Object.fromEntries(changes) as typeof msg.changes };
}
