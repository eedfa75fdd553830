import type { RolloutLine } from "../../src/protocol/types.js";
import { checkFacts, type Facts } from "./facts.js";
import { type InputEntry, textOf } from "./request-facts.js";

/** Compares the lines of a rollout with the expectations. */
export function checkRollout(lines: readonly RolloutLine[], expected: object): string | undefined {
  const difference = checkFacts(rolloutFacts(lines), expected);
  return difference === undefined ? undefined : `rollout: ${difference}`;
}

/** Facts about a rollout that expectations can use. */
export function rolloutFacts(lines: readonly RolloutLine[]): Facts {
  const payloads = (type: RolloutLine["type"]) =>
    lines.filter((line) => line.type === type).map(({ payload }) => payload);
  const items = payloads("response_item") as unknown as InputEntry[];
  const messages = (role: string) => items.filter((item) => item.role === role).map(textOf);
  const compacted = payloads("compacted") as { message: string }[];
  return {
    ...Object.fromEntries(lineTypes.map((type) => [type, payloads(type)])),
    ...Object.fromEntries(lineTypes.map((type) => [`${type}_count`, payloads(type).length])),
    types: lines.map(({ type }) => type),
    user_messages: messages("user"),
    assistant_messages: messages("assistant"),
    compacted_messages: compacted.map(({ message }) => message),
    compacted_message: compacted.at(-1)?.message,
  };
}

const lineTypes = [
  "session_meta",
  "response_item",
  "compacted",
  "turn_context",
  "event_msg",
] as const satisfies RolloutLine["type"][];
