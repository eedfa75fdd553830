export {
  decideExec,
  type ExecDecision,
  type ExecDecisionInput,
  escalationRefusal,
  isOfferable,
} from "./approval.js";
export { explainPolicy, type PartExplanation, type PolicyExplanation } from "./explain.js";
export {
  decidePatch,
  grantFor,
  isPatchWritable,
  type PatchDecision,
  type PatchDecisionInput,
  type PatchedPath,
} from "./patch-approval.js";
export { parsePlainCommands, parseShellLcPlainCommands } from "./plain-commands.js";
export type { PlainWordRules } from "./plain-word.js";
export { joinWords, quoteWord, splitWords } from "./quote.js";
export { formatAllowPrefixes } from "./rules/allow-prefixes.js";
export { appendAllowPrefixRule, appendNetworkRule } from "./rules/amend.js";
export { networkDomains, networkRuleWarning } from "./rules/network-rule.js";
export { parseRules, type RulesFile } from "./rules/parse-rules.js";
export {
  addPrefixRule,
  type Decision,
  type Evaluation,
  type ExecRules,
  evaluateRules,
  mergeRules,
  type NetworkRule,
  noRules,
  type PrefixRule,
  type RuleMatch,
} from "./rules/rule.js";
export {
  type RuleLayers,
  type RuleSources,
  readRuleLayers,
  readRulesFiles,
} from "./rules/rule-layers.js";
export { type DangerousMatch, dangerousMatch } from "./safety/dangerous.js";
export {
  type DangerousList,
  dangerousListOf2025,
  dangerousListOf2026,
  latestDangerousList,
  strictestDangerousList,
} from "./safety/dangerous-list.js";
export { isKnownSafe } from "./safety/safe.js";
export {
  latestSafeList,
  type SafeList,
  safeListOf2025,
  safeListOf2026,
} from "./safety/safe-list.js";
export { readShellScript, readSystemShellScript, type ShellScript } from "./shell-argv.js";
export { parseCommand } from "./summary/parse-command.js";
export {
  defaultRules,
  latestRules,
  type ParsedCommandRules,
  rulesOf2025,
  rulesOf2026,
} from "./summary/rules.js";
export { toUserShell, type UserShell, withUserProfile } from "./user-shell.js";
