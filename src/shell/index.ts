export { literalWords, parsePlainCommands, parseShellLcPlainCommands } from "./plain-commands.js";
export type { PlainWordRules } from "./plain-word.js";
export { joinWords, quoteWord } from "./quote.js";
export { type DangerousMatch, dangerousMatch, isDangerous } from "./safety/dangerous.js";
export {
  type DangerousList,
  dangerousListOf2025,
  dangerousListOf2026,
  latestDangerousList,
} from "./safety/dangerous-list.js";
export { isKnownSafe } from "./safety/safe.js";
export {
  latestSafeList,
  type SafeList,
  safeListOf2025,
  safeListOf2026,
} from "./safety/safe-list.js";
export { splitWords } from "./split.js";
export { parseCommand } from "./summary/parse-command.js";
export {
  defaultRules,
  latestRules,
  type ParsedCommandRules,
  rulesOf2025,
  rulesOf2026,
} from "./summary/rules.js";
