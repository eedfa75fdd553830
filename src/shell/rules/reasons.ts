import { joinWords } from "../quote.js";
import type { Decision, RuleMatch } from "./rule.js";

/** Returns the reason for refusing a command, from the most specific rule. */
export function forbiddenReason(argv: readonly string[], matches: readonly RuleMatch[]): string {
  const rule = mostSpecific(matches, "forbidden");
  const command = joinWords(argv);
  if (rule === undefined) return `\`${command}\` rejected: blocked by policy`;
  if (rule.justification !== undefined) return `\`${command}\` rejected: ${rule.justification}`;
  const prefix = joinWords(rule.matchedPrefix);
  return `\`${command}\` rejected: policy forbids commands starting with \`${prefix}\``;
}

/** Returns the reason for an approval request; `undefined` if no rule requires it. */
export function promptReason(
  argv: readonly string[],
  matches: readonly RuleMatch[],
): string | undefined {
  const rule = mostSpecific(matches, "prompt");
  if (rule === undefined) return undefined;
  const command = joinWords(argv);
  if (rule.justification === undefined) return `\`${command}\` requires approval by policy`;
  return `\`${command}\` requires approval: ${rule.justification}`;
}

function mostSpecific(matches: readonly RuleMatch[], decision: Decision) {
  return matches
    .flatMap((match) => ("prefixRuleMatch" in match ? [match.prefixRuleMatch] : []))
    .filter((match) => match.decision === decision)
    .reduce<{ matchedPrefix: string[]; justification?: string } | undefined>(
      (best, match) =>
        best === undefined || match.matchedPrefix.length >= best.matchedPrefix.length
          ? match
          : best,
      undefined,
    );
}
