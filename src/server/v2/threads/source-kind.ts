import { isRecord } from "../../../protocol/read/record.js";
import type { ThreadSourceKind } from "../../../protocol/rpc/v2/thread-list.js";

/** Whether a thread, by what its file says, was begun by such a program. */
export function isOfKind(source: unknown, kind: ThreadSourceKind): boolean {
  switch (kind) {
    case "cli":
    case "vscode":
    case "exec":
      return source === kind;
    case "appServer":
      return source === "mcp" || source === "appServer";
    case "unknown":
      return source === "unknown" || source === undefined;
    case "subAgent":
      return subAgentOf(source) !== undefined;
    case "subAgentReview":
      return subAgentOf(source) === "review";
    case "subAgentCompact":
      return subAgentOf(source) === "compact";
    case "subAgentThreadSpawn":
      return isSubAgentWith(source, "thread_spawn");
    case "subAgentOther":
      return isSubAgentWith(source, "other");
  }
}

function subAgentOf(source: unknown): unknown {
  return isRecord(source) ? source.subagent : undefined;
}

function isSubAgentWith(source: unknown, name: string): boolean {
  const agent = subAgentOf(source);
  return isRecord(agent) && name in agent;
}
