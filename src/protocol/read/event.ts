import type { CheckError } from "../checks/check.js";
import { checkEvent, checkEventMsg } from "../checks/events.generated.js";
import { CodexError } from "../error.js";
import type { Event, EventMsg } from "../events/index.js";
import { assertDepth } from "./depth.js";
import { toEventMsg } from "./event-msg.js";
import { assertValid, findProblem, fitting } from "./problem.js";
import { isRecord } from "./record.js";

/**
 * Reads an event of any era.
 *
 * An event of an unknown `type`, or with an unknown word where a list of words is known, comes
 * through as it is: the protocol grows. Throws when a known one lacks what it must have.
 */
export function parseEvent(value: unknown): Event {
  assertDepth(value);
  if (!isRecord(value) || typeof value.id !== "string") {
    throw new CodexError("invalid_request", 'An event must be an object: {"id": …, "msg": …}.');
  }
  return { ...value, id: value.id, msg: readMsg(value.msg, "msg") };
}

/** Reads what an event says, as it stands in `msg` and in rollouts. */
export function parseEventMsg(value: unknown): EventMsg {
  assertDepth(value);
  return readMsg(value, "event");
}

/** What keeps an event from fitting its schema word by word, or nothing; for tests and writers. */
export function findEventProblem(value: unknown): string | undefined {
  return findProblem(checkEvent, value, "event")?.message;
}

function readMsg(value: unknown, name: string): EventMsg {
  if (!isRecord(value) || typeof value.type !== "string") {
    const message = `${name} must be an object whose type is a string.`;
    throw new CodexError("invalid_request", message, { data: { path: name } });
  }
  const msg = fitting(checkEventMsg, toEventMsg(value));
  if (checkEventMsg(msg)) return msg as EventMsg;
  const error = checkEventMsg.errors?.[0];
  if (error?.keyword === "discriminator" && error.instancePath === "") return value as EventMsg;
  if (!isNewerWord(error)) assertValid(checkEventMsg, msg, name);
  return msg as EventMsg;
}

/** Whether a check failed only because a newer version knows more words than this one. */
function isNewerWord(error: CheckError | undefined): boolean {
  if (error?.keyword === "discriminator") return error.params.error === "mapping";
  return error?.keyword === "enum";
}
