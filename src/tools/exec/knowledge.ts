import { basename, resolve } from "node:path";
import type { ExecBehavior } from "../../compat/index.js";
import { realPath } from "../../lib/files.js";
import type { ParsedCommand } from "../../protocol/types.js";
import type { EnforcedPolicy } from "../../sandbox/index.js";
import {
  type DangerousList,
  dangerousListOf2025,
  dangerousListOf2026,
  isKnownSafe,
  latestDangerousList,
  latestRules,
  latestSafeList,
  type ParsedCommandRules,
  parseCommand,
  rulesOf2025,
  rulesOf2026,
  type SafeList,
  safeListOf2025,
  safeListOf2026,
  strictestDangerousList,
} from "../../shell/index.js";

/** Lists and rules about commands of one point in time. */
export interface Knowledge {
  summaries: ParsedCommandRules;
  safeList: SafeList;
  dangerousList: DangerousList;
}

/** The lists and summaries of an era. */
export function knowledgeOf({ commandKnowledge }: ExecBehavior): Knowledge {
  return byTime[commandKnowledge];
}

/** Returns false if neither the sandbox nor the command itself lets it change files. */
export function mayChangeFiles(
  argv: readonly string[],
  { mode, granted, rules }: EnforcedPolicy,
  behavior: ExecBehavior,
): boolean {
  if (mode === "read-only" && granted === undefined && rules === undefined) return false;
  return !isKnownSafe(argv, knowledgeOf(behavior).safeList);
}

/** Returns the summary of a command for events; unknown fields are null. */
export function summarize(argv: readonly string[], dialect: ExecBehavior): ParsedCommand[] {
  return parseCommand(argv, knowledgeOf(dialect).summaries).map((command) => {
    switch (command.type) {
      case "list_files":
        return { ...command, path: command.path ?? null };
      case "search":
        return { ...command, query: command.query ?? null, path: command.path ?? null };
      default:
        return command;
    }
  });
}

/** The name of the program behind a path, so that a link under another name is not another program. */
export function realProgramName(program: string, cwd: string): string | undefined {
  return program.includes("/") ? basename(realPath(resolve(cwd, program))) : undefined;
}

const byTime: Record<ExecBehavior["commandKnowledge"], Knowledge> = {
  "2025-08": {
    summaries: rulesOf2025,
    safeList: safeListOf2025,
    dangerousList: dangerousListOf2025,
  },
  "2025-09": {
    summaries: rulesOf2025,
    safeList: safeListOf2025,
    dangerousList: dangerousListOf2026,
  },
  "2026": {
    summaries: rulesOf2026,
    safeList: safeListOf2026,
    dangerousList: dangerousListOf2026,
  },
  strictest: {
    summaries: rulesOf2026,
    safeList: latestSafeList,
    dangerousList: strictestDangerousList,
  },
  latest: {
    summaries: latestRules,
    safeList: latestSafeList,
    dangerousList: latestDangerousList,
  },
};
