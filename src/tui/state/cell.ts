import type {
  FileUpdateChange,
  TurnPlanStep,
  UserInput,
  WireCommand,
  WireMcpCall,
  WorkStatus,
} from "../wire.js";
import type { CommandOutput } from "./command-output.js";

/** A block of the transcript. */
export type Cell =
  | UserCell
  | AgentCell
  | ReasoningCell
  | CommandCell
  | PatchCell
  | PlanCell
  | McpCell
  | ToolCell
  | NoticeCell
  | ReviewCell
  | BannerCell;

/** A message of the user. */
export interface UserCell {
  kind: "user";
  input: readonly UserInput[];
}

/** A block of an agent message: a paragraph, a list item, a code block. */
export interface AgentCell {
  kind: "agent";
  source: string;
  /** The first block of a message has a bullet. */
  isFirst: boolean;
  /** No blank line separates it from the previous block. */
  isTight: boolean;
}

/** Reasoning of the model, as far as it is visible. */
export interface ReasoningCell {
  kind: "reasoning";
  text: string;
}

/** A command and its output. */
export interface CommandCell {
  kind: "command";
  item: WireCommand;
  output: CommandOutput;
  startedAt: number;
  isDone: boolean;
}

/** File changes. */
export interface PatchCell {
  kind: "patch";
  changes: readonly FileUpdateChange[];
  status: WorkStatus;
}

/** The plan, as a checklist. */
export interface PlanCell {
  kind: "plan";
  explanation: string | undefined;
  steps: readonly TurnPlanStep[];
}

/** An MCP tool call. */
export interface McpCell {
  kind: "mcp";
  item: WireMcpCall;
  progress: string | undefined;
  startedAt: number;
}

/** Another tool call: a web search, a viewed image, a client-side tool. */
export interface ToolCell {
  kind: "tool";
  title: string;
  detail: string;
  status: WorkStatus;
}

/** A notice of the program. */
export interface NoticeCell {
  kind: "notice";
  level: "info" | "warning" | "error";
  text: string;
  hint?: string;
}

/** The start or end of a review. */
export interface ReviewCell {
  kind: "review";
  hasEnded: boolean;
  text: string;
}

/** The banner that starts a session. */
export interface BannerCell {
  kind: "banner";
  lines: readonly (readonly [label: string, value: string])[];
}

/** A message of the program to the user. */
export interface Notice {
  level: "info" | "warning" | "error";
  text: string;
  /** Suggested action. */
  hint?: string;
}
