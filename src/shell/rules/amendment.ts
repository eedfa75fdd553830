import { decisionOf, type RuleMatch } from "./evaluate.js";
import { isOfferable } from "./offerable.js";

/** What is known when a rule is proposed to the user. */
export interface AmendmentInput {
  matches: readonly RuleMatch[];
  /** A prefix that the model suggested itself. */
  requestedPrefix?: readonly string[] | undefined;
}

/**
 * The beginning of a command that the user may allow from now on, when being asked about it.
 *
 * Nothing is proposed when a rule asked: another rule would not spare the next question.
 */
export function proposeAmendment(input: AmendmentInput): string[] | undefined {
  const { matches, requestedPrefix } = input;
  if (matches.some((match) => isRule(match) && decisionOf(match) === "prompt")) return undefined;
  if (requestedPrefix !== undefined && isFitting(requestedPrefix, matches))
    return [...requestedPrefix];
  return firstUnmatched(matches, "prompt");
}

/** A suggested prefix must be the beginning of a command at hand, and one that may be offered. */
function isFitting(prefix: readonly string[], matches: readonly RuleMatch[]): boolean {
  if (!isOfferable(prefix)) return false;
  return matches.some((match) => {
    const command = "heuristicsRuleMatch" in match ? match.heuristicsRuleMatch.command : [];
    return prefix.every((word, index) => word === command[index]);
  });
}

/**
 * The same for a command that runs without asking: it is offered should the sandbox stop it.
 *
 * Where a rule already allows the command there is nothing to add.
 */
export function proposeAfterFailure(matches: readonly RuleMatch[]): string[] | undefined {
  return matches.some(isRule) ? undefined : firstUnmatched(matches, "allow");
}

function isRule(match: RuleMatch): boolean {
  return "prefixRuleMatch" in match;
}

function firstUnmatched(
  matches: readonly RuleMatch[],
  decision: "allow" | "prompt",
): string[] | undefined {
  for (const match of matches) {
    if (!("heuristicsRuleMatch" in match)) continue;
    const { command, decision: found } = match.heuristicsRuleMatch;
    if (found === decision) return isOfferable(command) ? command : undefined;
  }
  return undefined;
}
