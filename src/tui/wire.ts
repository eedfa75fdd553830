import type {
  AgentMessageItem,
  CommandExecutionItem,
  ContextCompactionItem,
  DynamicToolCallItem,
  EnteredReviewModeItem,
  ExitedReviewModeItem,
  FileChangeItem,
  ImageViewItem,
  McpToolCallItem,
  PlanItem,
  ReasoningItem,
  UserMessageItem,
  WebSearchItem,
} from "../protocol/rpc/v2/item.js";
import type { Thread } from "../protocol/rpc/v2/thread.js";
import type { Turn } from "../protocol/rpc/v2/turn.js";

/**
 * A shape of the wire of which only some members are sure to be there.
 *
 * Servers may be older than this program, or another program: what one version does not send is
 * read as absent.
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

/** A conversation as lists and answers tell it. */
export type WireThread = Loose<Omit<Thread, "turns">, "id"> & { turns?: WireTurn[] };

/** A turn, with what it holds when that was asked for. */
export type WireTurn = Loose<Omit<Turn, "items">, "id"> & { items?: WireItem[] };

/** A command, run by the agent or by the user. */
export type WireCommand = Loose<CommandExecutionItem, "type" | "id" | "command" | "status">;

/** A call of a tool of an MCP server. */
export type WireMcpCall = Loose<McpToolCallItem, "type" | "id" | "server" | "tool" | "status">;

/** The items that are shown; a kind that is not here is passed over. */
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
  | Loose<EnteredReviewModeItem, "type" | "id" | "review">
  | Loose<ExitedReviewModeItem, "type" | "id" | "review">
  | Loose<ContextCompactionItem, "type" | "id">;

/** How far a piece of work is. */
export type WorkStatus = CommandExecutionItem["status"];
