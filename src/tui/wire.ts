import type {
  AgentMessageItem,
  AnsweredQuestionsItem,
  CollabAgentToolCallItem,
  CommandExecutionItem,
  ContextCompactionItem,
  DynamicToolCallItem,
  EnteredReviewModeItem,
  ExitedReviewModeItem,
  FileChangeItem,
  FunctionCallOutputThreadItem,
  HookPromptItem,
  ImageGenerationItem,
  ImageViewItem,
  McpToolCallItem,
  PlanItem,
  ReasoningItem,
  SleepItem,
  SubAgentActivityItem,
  UserMessageItem,
  WebSearchItem,
} from "../protocol/rpc/v2/item.js";
import type { Thread } from "../protocol/rpc/v2/thread.js";
import type { Turn } from "../protocol/rpc/v2/turn.js";

/**
 * A wire type of which only the `Sure` members are required.
 *
 * The server may be older than this program, or another implementation, so the other members can be
 * absent.
 */
type Loose<Shape, Sure extends keyof Shape> = Pick<Shape, Sure> & {
  [Name in Exclude<keyof Shape, Sure>]?: Shape[Name] | null | undefined;
};

export type {
  CommandAction,
  FileUpdateChange,
  WebSearchAction,
} from "../protocol/rpc/v2/item-parts.js";
export type { RateLimitWindow } from "../protocol/rpc/v2/status.js";
export type { TurnPlanStep } from "../protocol/rpc/v2/turn.js";
export type { UserInput } from "../protocol/rpc/v2/user-input.js";
export type { AnsweredQuestion } from "../protocol/sqeq/events/item.js";

/** A thread in lists and responses. */
export type WireThread = Loose<Omit<Thread, "turns">, "id"> & { turns?: WireTurn[] };

/** A turn, with its items if they were requested. */
export type WireTurn = Loose<Omit<Turn, "items">, "id"> & { items?: WireItem[] };

/** A command that the agent or the user ran. */
export type WireCommand = Loose<CommandExecutionItem, "type" | "id" | "command" | "status">;

/** An MCP tool call. */
export type WireMcpCall = Loose<McpToolCallItem, "type" | "id" | "server" | "tool" | "status">;

/** The items that are shown; other types are skipped. */
export type WireItem =
  | Loose<UserMessageItem, "type" | "id" | "content">
  | Loose<AgentMessageItem, "type" | "id" | "text">
  | Loose<PlanItem, "type" | "id" | "text">
  | Loose<ReasoningItem, "type" | "id">
  | WireCommand
  | Loose<FileChangeItem, "type" | "id" | "changes" | "status">
  | WireMcpCall
  | Loose<DynamicToolCallItem, "type" | "id" | "tool" | "status">
  | Loose<WebSearchItem, "type" | "id">
  | Loose<ImageViewItem, "type" | "id" | "path">
  | Loose<ImageGenerationItem, "type" | "id" | "status">
  | Loose<EnteredReviewModeItem, "type" | "id" | "review">
  | Loose<ExitedReviewModeItem, "type" | "id" | "review">
  | Loose<ContextCompactionItem, "type" | "id">
  | Loose<HookPromptItem, "type" | "id" | "fragments">
  | Loose<SubAgentActivityItem, "type" | "id" | "kind" | "agentPath">
  | Loose<CollabAgentToolCallItem, "type" | "id" | "tool" | "status">
  | Loose<SleepItem, "type" | "id" | "durationMs">
  | Loose<FunctionCallOutputThreadItem, "type" | "id" | "name">
  | Loose<AnsweredQuestionsItem, "type" | "id" | "questions">;

/** Status of an item. */
export type WorkStatus = CommandExecutionItem["status"];
