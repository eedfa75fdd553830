import type {
  FileUpdateChange,
  TurnPlanStep,
  UserInput,
  WireCommand,
  WireMcpCall,
  WorkStatus,
} from "../wire.js";
import type { CommandOutput } from "./command-output.js";

/** One piece of the conversation as it is shown. */
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

/** What the user said. */
export interface UserCell {
  kind: "user";
  input: readonly UserInput[];
}

/** One block of what the agent says: a paragraph, a list item, a piece of code. */
export interface AgentCell {
  kind: "agent";
  source: string;
  /** The first block of a message has its mark. */
  isFirst: boolean;
  /** It follows the block before without a free line. */
  isTight: boolean;
}

/** What the model lets be seen of its thinking. */
export interface ReasoningCell {
  kind: "reasoning";
  text: string;
}

/** A command and what it printed. */
export interface CommandCell {
  kind: "command";
  item: WireCommand;
  output: CommandOutput;
  startedAt: number;
  isDone: boolean;
}

/** Changes to files. */
export interface PatchCell {
  kind: "patch";
  changes: readonly FileUpdateChange[];
  status: WorkStatus;
}

/** The plan, as a list to tick off. */
export interface PlanCell {
  kind: "plan";
  explanation: string | undefined;
  steps: readonly TurnPlanStep[];
}

/** A call of a tool of an MCP server. */
export interface McpCell {
  kind: "mcp";
  item: WireMcpCall;
  progress: string | undefined;
  startedAt: number;
}

/** A call of something else: a search, a picture, a tool of the client. */
export interface ToolCell {
  kind: "tool";
  title: string;
  detail: string;
  status: WorkStatus;
}

/** A word of the program itself. */
export interface NoticeCell {
  kind: "notice";
  level: "info" | "warning" | "error";
  text: string;
  hint?: string;
}

/** A review begins or ends. */
export interface ReviewCell {
  kind: "review";
  hasEnded: boolean;
  text: string;
}

/** Where a conversation begins: what it works with. */
export interface BannerCell {
  kind: "banner";
  lines: readonly (readonly [label: string, value: string])[];
}

/** Something the program says about itself or the conversation. */
export interface Notice {
  level: "info" | "warning" | "error";
  text: string;
  /** What to do about it. */
  hint?: string;
}
