import type {
  InputItem,
  ResponseItem,
  ToolOutputInput,
  UserMessageEvent,
} from "../protocol/types.js";
import type { ReadGuard } from "../sandbox/index.js";
import type { ToolBox } from "../tools/index.js";
import { History } from "./history.js";
import { toUserMessage, toUserMessageEvent } from "./messages.js";
import type { ItemPlace, Task } from "./task.js";
import { TokenMeter } from "./tokens.js";
import type { TurnContext } from "./turn-context.js";
import { workingContext } from "./turn-context.js";

/**
 * The conversation a task has with the model: the session's, or a side conversation such as a
 * review's.
 *
 * A step reads and writes only this conversation.
 */
export interface Conversation {
  /** Ids for the model's server if this is not the session's conversation. */
  readonly id?: string;
  readonly turnId?: string;
  /** Kind of subagent; omitted for the user's conversation. */
  readonly subagent?: string;
  readonly history: History;
  readonly context: TurnContext;
  readonly tools: ToolBox;
  /** Replaces the default instructions. */
  readonly instructions: string | undefined;
  /** The JSON Schema that the final answer must follow. */
  readonly outputSchema: unknown;
  /** Output to emit as events: whole messages, only their start, or nothing. */
  readonly reports: "messages" | "beginnings" | "nothing";
  /** Token usage. */
  readonly tokens: TokenMeter;
  record(items: readonly ResponseItem[]): void;
  /** Replaces all items, as compaction does. */
  replace(items: readonly ResponseItem[], summary: string): void;
  /** Adds input of the user; false if a hook rejects it. */
  addInput(
    items: readonly InputItem[],
    from?: "user" | "tool",
    submissionId?: string,
  ): Promise<boolean>;
  /** Called when a response is complete, though its calls may still run. */
  endResponse(responseId: string | undefined): void;
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
      return workingContext(session.context, session.parts.era);
    },
    tools: session.parts.tools,
    instructions: session.config.base_instructions,
    outputSchema,
    reports: "messages",
    tokens: session.tokens,
    record: (items) => task.record(items),
    replace: (items, summary) => task.replaceHistory(items, summary),
    async addInput(items, from, submissionId) {
      const [output] = items;
      if (output?.type === "tool_output") {
        recordToolOutput(task, output, submissionId);
        return true;
      }
      if (session.hooks !== undefined && from !== "tool") {
        return session.hooks.submit(task, items, () => recordInput(task, items, submissionId));
      }
      await recordInput(task, items, submissionId);
      return true;
    },
    endResponse(responseId) {
      task.openResponseId = responseId;
    },
    bookmark: (responseId, outputs) => task.bookmark(responseId, outputs),
  };
}

/** The guard for files in the user's input; without permission rules there is none. */
async function guardOf({ session }: Task): Promise<ReadGuard | undefined> {
  const { context, grants, parts } = session;
  if (context.permissions === undefined) return undefined;
  const { PermissionGrants, readGuardOf } = await import("./permissions.js");
  const sandbox_policy = PermissionGrants.over(context, grants);
  return readGuardOf(parts, { sandbox_policy, cwd: context.cwd });
}

/** Records the output of a tool of the client: no message of the user, and no prompt for hooks. */
function recordToolOutput(
  task: Task,
  { name, namespace, output, retain }: ToolOutputInput,
  submissionId: string | undefined,
): void {
  const { newId, queues } = task.session.parts;
  const named = { name, ...(namespace == null ? {} : { namespace }), output };
  task.record([{ type: "function_call_output", ...named, ...(retain ? { retain } : {}) }]);
  const item = { type: "FunctionCallOutput" as const, id: `fco_${newId()}`, ...named };
  task.emitItem("item_started", item);
  task.emitItem("item_completed", item);
  if (submissionId !== undefined) queues.applied?.(submissionId);
}

async function recordInput(
  task: Task,
  items: readonly InputItem[],
  submissionId: string | undefined,
): Promise<void> {
  const { era, queues } = task.session.parts;
  const { engine } = era;
  const message = await toUserMessage(items, engine, await guardOf(task));
  // Without its event the message would be in the history and missing in what clients show.
  task.record([message], "with the next");
  emitUserMessage(task, items, toUserMessageEvent(message, items, engine));
  if (submissionId !== undefined) queues.applied?.(submissionId);
  if (!items.some(mayMention)) return;
  const { addMentions, addSkills } = await import("./mentions.js");
  await addSkills(task, items, guardOf);
  addMentions(task, items);
}

/** Returns true if an item may name a skill or another thing; looking for skills reads folders. */
function mayMention({ type, ...item }: InputItem): boolean {
  return type === "skill" || type === "mention" || ("text" in item && item.text.includes("$"));
}

/** Emits the user's input as an item and as a `user_message` event. */
export function emitUserMessage(
  task: Task,
  items: readonly InputItem[],
  msg: UserMessageEvent,
  place: ItemPlace = {},
): void {
  const id = task.session.parts.newId();
  const isWhole = task.session.parts.era.engine.userMessageFields === "elements";
  const content = isWhole ? items.map(withElements) : [...items];
  const client_id = task.session.clientIdOf(items);
  const named = client_id === undefined ? {} : { client_id };
  const item = { type: "UserMessage" as const, id, content, ...named };
  task.emitItem("item_started", item, place);
  task.emitItem("item_completed", item, place);
  task.emit({ ...msg, ...named }, id);
}

function withElements(item: InputItem): InputItem {
  return item.type === "text" ? { text_elements: [], ...item } : item;
}

/** Parts of a side conversation. */
export interface SideConversationParts extends Pick<Conversation, "id" | "turnId" | "subagent"> {
  context: TurnContext;
  tools: ToolBox;
  instructions: string | undefined;
  items: readonly ResponseItem[];
}

/** Creates a conversation that is separate from the session's: it changes neither its history nor its log. */
export function sideConversation(task: Task, parts: SideConversationParts): Conversation {
  const history = new History();
  history.append(parts.items);
  const { id, turnId, subagent } = parts;
  return {
    ...(id === undefined ? {} : { id }),
    ...(turnId === undefined ? {} : { turnId }),
    ...(subagent === undefined ? {} : { subagent }),
    history,
    context: parts.context,
    tools: parts.tools,
    instructions: parts.instructions,
    outputSchema: undefined,
    reports: parts.id === undefined ? "nothing" : "beginnings",
    tokens: parts.id === undefined ? task.session.tokens : new TokenMeter(),
    record: (items) => history.append(items),
    replace: (items) => history.replace(items),
    async addInput(items, from) {
      const { hooks, parts } = task.session;
      const add = async () =>
        history.append([await toUserMessage(items, parts.era.engine, await guardOf(task))]);
      if (hooks !== undefined && from !== "tool") return hooks.submit(task, items, add);
      await add();
      return true;
    },
    endResponse() {},
    bookmark() {},
  };
}
