import { toModelOutput } from "../mcp/index.js";
import { CodexError } from "../protocol/error.js";
import { endOfLost, OpenItems, outcomeUnknown } from "../protocol/lost-items.js";
import type {
  ContinueTurnOp,
  EventMsg,
  QuestionAnsweredEvent,
  ResponseItem,
} from "../protocol/types.js";
import { unansweredCalls } from "../rollout/index.js";
import { failed } from "../tools/index.js";
import { sessionConversation } from "./conversation.js";
import { finishTurn } from "./loop.js";
import { LostCommands } from "./lost-commands.js";
import { developerMessage } from "./messages.js";
import type { Session } from "./session.js";
import { startTask, type Task } from "./task.js";
import { callOf, ToolCalls } from "./tool-calls.js";

/**
 * Continues a turn of an engine that was lost; the conversation was resumed from its log.
 *
 * Calls that had begun are not repeated: the model learns that their outcome is unknown. Calls that had
 * not begun, or waited for an approval, are made now. Then the loop continues with the next request.
 */
export function continueTurn(session: Session, op: ContinueTurnOp, id: string): void {
  if (session.task !== undefined) {
    const message = `Cannot continue turn ${op.turn_id}: turn ${session.task.turnId} is active`;
    throw new CodexError("invalid_request", message);
  }
  session.continued = { id, turnId: op.turn_id };
  const turn = new LostTurn(op.events);
  // The input was not recorded; its submission starts the task.
  if (op.is_resubmitted !== true) startTask(session, id, (task) => run(task, op, turn));
  else
    for (const { msg, itemId } of turn.ends(new Set())) emitEnd(session, { id, op, itemId }, msg);
}

function emitEnd(
  session: Session,
  { id, op, itemId }: { id: string; op: ContinueTurnOp; itemId: string | undefined },
  msg: EventMsg,
): void {
  const item = itemId === undefined ? {} : { item_id: itemId };
  session.events.emitIn({ id, turn_id: op.turn_id, ...item }, msg);
}

async function run(task: Task, op: ContinueTurnOp, turn: LostTurn): Promise<void> {
  const { session } = task;
  task.lostCommands = new LostCommands(op.events);
  const conversation = sessionConversation(task, op.final_output_json_schema);
  const open = unansweredCalls(session.history.items);
  const isRepeated = (item: ResponseItem) => {
    const call = callOf(item, task);
    return call !== undefined && turn.mayRepeat(call.id, call.toolName);
  };
  const repeated = open.filter(isRepeated);
  const idsOf = (items: readonly ResponseItem[]) =>
    new Set(items.map((item) => callOf(item, task)?.id ?? ""));
  const repeatedIds = idsOf(repeated);
  for (const item of open) {
    const call = callOf(item, task);
    if (call === undefined || repeatedIds.has(call.id)) continue;
    task.record([call.toItem(failed(turn.outputOf(call.id, session)))]);
  }
  const answered = idsOf(open);
  for (const { msg, itemId } of turn.ends(repeatedIds)) {
    task.emit(msg, itemId);
    const isProcess = msg.type === "exec_command_end" && !answered.has(msg.call_id);
    if (isProcess) task.record([developerMessage(lostProcess(msg.command ?? []))]);
  }
  if (turn.isUserCommand) return task.complete(undefined);
  const answer = open.length === 0 ? turn.finalAnswer(session.history.items) : undefined;
  if (answer !== undefined) return task.complete(answer);

  if (repeated.length > 0) {
    await session.parts.mcp.started;
    await conversation.tools.prepare?.(conversation.context);
  }
  const calls = new ToolCalls(task, conversation, turn.unapproved);
  for (const item of repeated) await calls.start(item);
  const outputs = await calls.outputs();
  if (!calls.recordsOutputs) conversation.record([...outputs.values()]);
  await finishTurn(task, conversation, []);
}

function lostProcess(command: readonly string[]): string {
  return `This command was running and is lost; ${outcomeUnknown}: ${command.join(" ")}`;
}

/** Tools whose effects no event announces, so that a call that has no output may have had them. */
const notRepeatable: ReadonlySet<string> = new Set([
  "exec",
  "wait",
  "write_stdin",
  "spawn_agent",
  "send_input",
  "send_message",
  "followup_task",
  "resume_agent",
  "close_agent",
  "interrupt_agent",
  "create_goal",
  "update_goal",
]);

/** A turn as its events describe it, up to the loss of its engine. */
class LostTurn {
  readonly #open = new OpenItems();
  readonly #ended = new Map<string, EventMsg>();
  /** Patches that are reported before the user is asked. */
  readonly unapproved = new Set<string>();
  readonly #approved = new Set<string>();
  #hasInput = false;
  #hasUserCommand = false;
  #isStepComplete = false;
  readonly #length: number;

  constructor(events: readonly EventMsg[]) {
    this.#length = events.length;
    for (const msg of events) this.#read(msg);
  }

  #read(msg: EventMsg): void {
    this.#open.read(msg);
    if (!sideEvents.has(msg.type)) this.#isStepComplete = msg.type === "step_complete";
    switch (msg.type) {
      case "user_message":
        this.#hasInput = true;
        return;
      case "exec_command_begin":
        this.#hasUserCommand ||= msg.source === "user_shell";
        return;
      case "patch_apply_begin":
        if (!msg.auto_approved && !this.#approved.has(msg.call_id)) {
          this.unapproved.add(msg.call_id);
        }
        return;
      case "question_answered":
        this.#approved.add(callOfAnswer(msg));
        this.unapproved.delete(callOfAnswer(msg));
        return;
      case "exec_command_end":
      case "patch_apply_end":
      case "mcp_tool_call_end":
        this.#ended.set(msg.call_id, msg);
        return;
      case "item_completed":
        this.#ended.set(msg.item.id, msg);
    }
  }

  /** True for the turn of a command that the user typed, which the model has no part in. */
  get isUserCommand(): boolean {
    return !this.#hasInput && (this.#hasUserCommand || this.#length <= 1);
  }

  /** Returns true if a call without output has not begun, and may be made now. */
  mayRepeat(callId: string, toolName: string): boolean {
    if (this.unapproved.has(callId)) return true;
    const hasBegun = this.#open.ofCall(callId) !== undefined || this.#ended.has(callId);
    return !hasBegun && !notRepeatable.has(toolName);
  }

  /** Returns the events that end what had begun, except for calls that are made now. */
  ends(repeated: ReadonlySet<string>): ReturnType<typeof endOfLost>[] {
    return this.#open.all
      .filter((msg) => msg.type === "item_started" || !repeated.has(msg.call_id))
      .map(endOfLost);
  }

  /** Returns the output of a call that has begun, for the model. */
  outputOf(callId: string, { parts: { era } }: Session): string {
    const msg = this.#ended.get(callId);
    switch (msg?.type) {
      case "exec_command_end":
        return `Exit code: ${msg.exit_code}\nOutput:\n${msg.formatted_output}`;
      case "patch_apply_end":
        return msg.success ? msg.stdout : msg.stderr;
      case "mcp_tool_call_end":
        return toModelOutput(msg.result, era.mcp.resultForm, 0).text;
      default:
        return outcomeUnknown;
    }
  }

  /** Returns the last message of the model if only the end of the turn is missing. */
  finalAnswer(items: readonly ResponseItem[]): string | undefined {
    const last = items.at(-1);
    if (!this.#isStepComplete || last?.type !== "message" || last.role !== "assistant") return;
    return last.content.flatMap((part) => ("text" in part ? [part.text] : [])).join("");
  }
}

/** Returns the call whose question was answered; empty if no call asked it. */
function callOfAnswer({ op }: QuestionAnsweredEvent): string {
  return (op as { id?: string }).id ?? "";
}

/** Events that do not belong to a step. */
const sideEvents: ReadonlySet<EventMsg["type"]> = new Set<EventMsg["type"]>([
  "token_count",
  "turn_diff",
  "warning",
  "background_event",
]);
