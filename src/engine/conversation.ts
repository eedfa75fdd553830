import type { InputItem, ResponseItem, UserMessageEvent } from "../protocol/types.js";
import type { ToolBox } from "../tools/index.js";
import { History } from "./history.js";
import type { Task } from "./task.js";
import type { TurnContext } from "./turn-context.js";
import { toUserMessage, toUserMessageEvent } from "./user-input.js";

/**
 * What a task talks about with the model: the session's own conversation, or one on the side.
 *
 * A turn reads and writes the conversation it was given and knows no other.
 */
export interface Conversation {
  readonly history: History;
  readonly context: TurnContext;
  readonly tools: ToolBox;
  /** Replaces the instructions that models are given by default. */
  readonly instructions: string | undefined;
  /** The JSON Schema that the final answer must follow. */
  readonly outputSchema: unknown;
  /** What the model says is told as messages; false where it is only worked on. */
  readonly tellsMessages: boolean;
  record(items: readonly ResponseItem[]): void;
  /** Goes on from other items, which stand for all there was before. */
  replace(items: readonly ResponseItem[], summary: string): void;
  /** Adds what the user sent meanwhile. */
  addInput(items: readonly InputItem[]): Promise<void>;
  /** Remembers where a response ended, for clients that come back to it. */
  bookmark(responseId: string | undefined, outputs: readonly ResponseItem[]): void;
}

/** The session's own conversation, as one of its tasks continues it. */
export function sessionConversation(task: Task, outputSchema: unknown): Conversation {
  const { session } = task;
  return {
    history: session.history,
    // Settings may change while a task runs; they hold from its next request on.
    get context() {
      return session.context;
    },
    tools: session.parts.tools,
    instructions: session.config.base_instructions,
    outputSchema,
    tellsMessages: true,
    record: (items) => task.record(items),
    replace: (items, summary) => task.replaceHistory(items, summary),
    async addInput(items) {
      const message = await toUserMessage(items, session.parts.era.engine);
      task.record([message]);
      tellUserMessage(task, items, toUserMessageEvent(message, items, session.parts.era.engine));
    },
    bookmark: (responseId, outputs) => task.bookmark(responseId, outputs),
  };
}

/** Tells what the user sent: as an item, and as the message that went to the model. */
function tellUserMessage(task: Task, items: readonly InputItem[], msg: UserMessageEvent): void {
  const { session, turnId } = task;
  const id = session.parts.newId();
  const item = { type: "UserMessage" as const, id, content: [...items] };
  const place = { thread_id: session.id, turn_id: turnId };
  task.emit({ type: "item_started", ...place, item }, id);
  task.emit({ type: "item_completed", ...place, item }, id);
  task.emit(msg, id);
}

/** What a conversation on the side starts with. */
export interface SideConversationParts {
  context: TurnContext;
  tools: ToolBox;
  instructions: string | undefined;
  items: readonly ResponseItem[];
}

/** A conversation that leaves no trace in the session's own. */
export function sideConversation(task: Task, parts: SideConversationParts): Conversation {
  const history = new History();
  history.append(parts.items);
  return {
    history,
    context: parts.context,
    tools: parts.tools,
    instructions: parts.instructions,
    outputSchema: undefined,
    tellsMessages: false,
    record: (items) => history.append(items),
    replace: (items) => history.replace(items),
    async addInput(items) {
      history.append([await toUserMessage(items, task.session.parts.era.engine)]);
    },
    bookmark() {},
  };
}
