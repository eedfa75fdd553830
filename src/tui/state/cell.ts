import type { Block } from "../markdown/blocks.js";
import type {
  AnsweredQuestion,
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
  | ExploredCell
  | PatchCell
  | PlanCell
  | ProposalCell
  | AnswersCell
  | McpCell
  | ToolCell
  | NoticeCell
  | ReviewCell
  | BannerCell
  | TurnCell;

/** A message of the user. */
export interface UserCell {
  kind: "user";
  input: readonly UserInput[];
}

/** A block of an agent message: a paragraph, a list item, a code block. */
export interface AgentCell extends Block {
  kind: "agent";
  /** The first block of a message has a bullet. */
  isFirst: boolean;
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

/** Consecutive commands that only read, list or search. */
export interface ExploredCell {
  kind: "explored";
  commands: readonly CommandCell[];
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

/** The heading of a proposed plan; the plan follows as the blocks of a message. */
export interface ProposalCell {
  kind: "proposal";
}

/** Questions of the agent with the answers of the user. */
export interface AnswersCell {
  kind: "answers";
  questions: readonly AnsweredQuestion[];
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
  /** An image that the tool returned, in base64. */
  image?: string;
  /** File of an image that the tool showed. */
  imagePath?: string;
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

/** The end of a turn: what it took and what it changed. */
export interface TurnCell {
  kind: "turn";
  status: "completed" | "interrupted" | "failed";
  durationMs: number;
  tokens: number;
  /** In US dollars; undefined if a price is not known. */
  cost?: number | undefined;
  changes: ChangeCounts;
}

/** Counts of a diff. */
export interface ChangeCounts {
  files: number;
  added: number;
  removed: number;
}

/** A message of the program to the user. */
export interface Notice {
  level: "info" | "warning" | "error";
  text: string;
  /** Suggested action. */
  hint?: string;
}
