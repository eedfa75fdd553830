import type { Decision } from "./rule.js";
import { type Place, rulesError } from "./source.js";
import { type Arguments, optionalString } from "./values.js";

/** The `decision` of a rule about commands. */
export function parseDecision(args: Arguments, call: Place): Decision | undefined {
  const text = optionalString(args, "decision");
  if (text === undefined || text === "allow" || text === "prompt" || text === "forbidden")
    return text;
  const at = args.get("decision")?.at ?? call;
  throw rulesError(at, `invalid decision: ${text} (write allow, prompt or forbidden)`);
}

/** The `justification` of a rule, which must say something when it is there. */
export function parseJustification(args: Arguments, call: Place): string | undefined {
  const text = optionalString(args, "justification");
  if (text !== undefined && text.trim() === "") {
    const at = args.get("justification")?.at ?? call;
    throw rulesError(at, "invalid rule: justification cannot be empty");
  }
  return text;
}
