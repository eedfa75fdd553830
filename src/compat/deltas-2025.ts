import type { Delta } from "./behavior/index.js";

/** Values of 0.42 that 0.45 changed. JSON-RPC was inside its MCP server. */
export const since45: Delta = {
  exec: { eventGrouping: "run", failureFormat: "debug", outputForm: "2025-09" },
  execJson: {
    completedOnly: new Set(["file_change"]),
    failureExitCode: "none",
    itemTag: "item_type",
    messageType: "assistant_message",
    opening: "session.created",
    originator: "codex_cli_rs",
  },
  model: { catalogue: "2025-09" },
  rpc: {
    approvalParams: "snake_case",
    errorDetail: "reasoned",
    v1RequiresInitialize: false,
  },
  tools: { planTool: "if asked" },
};

/** Values of 0.39 that 0.42 changed: none; its conditions read `era.since`. */
export const since42: Delta = {};
