/**
 * What the terminal UI reads of the wire: the members it shows, all others pass unseen.
 *
 * Readers are tolerant: a server may be older or newer than this program, so every member that one
 * version lacks is optional here.
 */
export interface WireThread {
  id: string;
  preview?: string;
  name?: string | null;
  cwd?: string;
  createdAt?: number;
  updatedAt?: number;
  modelProvider?: string;
  gitInfo?: { branch?: string | null } | null;
  turns?: WireTurn[];
}

/** One turn, with what it holds when it was asked for. */
export interface WireTurn {
  id: string;
  items?: WireItem[];
  status?: "completed" | "interrupted" | "failed" | "inProgress";
  error?: WireError | null;
  durationMs?: number | null;
}

/** Why a turn failed. */
export interface WireError {
  message: string;
  additionalDetails?: string | null;
  codexErrorInfo?: unknown;
}

/** A piece of what the user says. */
export type WireInput =
  | { type: "text"; text: string; text_elements?: unknown[] }
  | { type: "image"; url: string }
  | { type: "localImage"; path: string }
  | { type: "skill"; name: string; path: string }
  | { type: "mention"; name: string; path: string };

/** A change to one file: the whole content when it is new or gone, else a unified diff. */
export interface WireFileChange {
  path: string;
  kind: { type: "add" } | { type: "delete" } | { type: "update"; move_path?: string | null };
  diff: string;
}

/** What a command turned out to do. */
export type WireAction =
  | { type: "read"; command: string; name: string; path?: string }
  | { type: "listFiles"; command: string; path?: string | null }
  | { type: "search"; command: string; query?: string | null; path?: string | null }
  | { type: "unknown"; command: string };

/** How far a piece of work is. */
export type WireStatus = "inProgress" | "completed" | "failed" | "declined";

/** The items that are shown; a kind that is not here is passed over. */
export type WireItem =
  | { type: "userMessage"; id: string; content: WireInput[] }
  | { type: "agentMessage"; id: string; text: string }
  | { type: "plan"; id: string; text: string }
  | { type: "reasoning"; id: string; summary?: string[]; content?: string[] }
  | WireCommand
  | { type: "fileChange"; id: string; changes: WireFileChange[]; status: WireStatus }
  | WireMcpCall
  | { type: "dynamicToolCall"; id: string; tool: string; arguments?: unknown; status: WireStatus }
  | {
      type: "collabAgentToolCall";
      id: string;
      tool: string;
      status: WireStatus;
      prompt?: string | null;
    }
  | { type: "webSearch"; id: string; query?: string; action?: WireSearchAction | null }
  | { type: "imageView"; id: string; path: string }
  | { type: "enteredReviewMode"; id: string; review: string }
  | { type: "exitedReviewMode"; id: string; review: string }
  | { type: "contextCompaction"; id: string };

/** A command, run by the agent or by the user. */
export interface WireCommand {
  type: "commandExecution";
  id: string;
  command: string;
  cwd?: string;
  source?: string;
  status: WireStatus;
  commandActions?: WireAction[];
  aggregatedOutput?: string | null;
  exitCode?: number | null;
  durationMs?: number | null;
}

/** A call of a tool of an MCP server. */
export interface WireMcpCall {
  type: "mcpToolCall";
  id: string;
  server: string;
  tool: string;
  status: WireStatus;
  arguments?: unknown;
  result?: { content?: unknown[]; structuredContent?: unknown } | null;
  error?: { message: string } | null;
  durationMs?: number | null;
}

/** What a search of the web did. */
export interface WireSearchAction {
  type: string;
  query?: string | null;
  queries?: string[] | null;
  url?: string | null;
  pattern?: string | null;
}

/** One step of a plan. */
export interface WirePlanStep {
  step: string;
  status: "pending" | "inProgress" | "completed";
}

/** What was used of the model, in tokens. */
export interface WireTokenCount {
  totalTokens: number;
  inputTokens: number;
  cachedInputTokens: number;
  outputTokens: number;
  reasoningOutputTokens: number;
}

/** What was used in all and by the last request, and how much the model can hold. */
export interface WireTokenUsage {
  total: WireTokenCount;
  last: WireTokenCount;
  modelContextWindow?: number | null;
}

/** How much of an allowance is used. */
export interface WireRateLimits {
  primary?: WireRateWindow | null;
  secondary?: WireRateWindow | null;
}

/** One window of an allowance. */
export interface WireRateWindow {
  usedPercent: number;
  windowDurationMins?: number | null;
  resetsAt?: number | null;
}
