import type {
  EventMsg,
  RolloutItem,
  TaskCompleteEvent,
  TurnAbortedEvent,
  UserMessageEvent,
} from "../../protocol/types.js";
import {
  compactedMessage,
  idOf,
  isWorthKeeping,
  knownItems,
  type LineOfFile,
  nowhere,
  type OpenTurn,
  type RebuiltItem,
  type RebuiltTurn,
  timesOf,
  toMs,
} from "./rebuilt-turn.js";
import { inputOfEvent, messageFacts, messageKind } from "./response-item.js";

/** Options for rebuilding turns. */
export interface TurnBuilderOptions {
  /** Number of the first item without a recorded id. Default: 1. */
  firstItem?: number;
  /** Counts items without storing them, so memory stays small for long conversations. */
  countsOnly?: boolean;
}

/**
 * Rebuilds the turns of a conversation, without those rolled back.
 *
 * Items without a recorded id are numbered `item-1`, `item-2`… through the conversation.
 */
export class TurnBuilder {
  readonly #countsOnly: boolean;
  #turns: RebuiltTurn[] = [];
  /** The last turn with each id. */
  #byId = new Map<string, RebuiltTurn>();
  #open: OpenTurn | undefined;
  #nextItem: number;
  #line: LineOfFile = nowhere;
  #timeMs: number | undefined;

  constructor({ firstItem = 1, countsOnly = false }: TurnBuilderOptions = {}) {
    this.#nextItem = firstItem;
    this.#countsOnly = countsOnly;
  }

  /** All turns so far, including one that has not ended. */
  get turns(): readonly RebuiltTurn[] {
    const open = this.#open;
    return open !== undefined && isWorthKeeping(open) ? [...this.#turns, open.turn] : this.#turns;
  }

  add(item: RolloutItem & { timestamp?: string }, line = nowhere): void {
    this.#line = line;
    this.#timeMs = toMs(item.timestamp);
    if (item.type === "compacted") {
      // Without a summary the conversation returns to an earlier state.
      if (item.payload.message !== "") this.#addSummary();
    } else if (item.type === "event_msg") this.#addEvent(item.payload);
  }

  #addSummary(): void {
    Object.assign(this.#current(), { compacted: true, showsCompaction: false });
  }

  #addEvent(msg: EventMsg): void {
    switch (msg.type) {
      case "task_started":
        this.#start(msg.turn_id ?? undefined);
        if (msg.root_turn_id !== undefined) this.#current().turn.rootTurnId = msg.root_turn_id;
        break;
      case "user_message":
        this.#addUserMessage(msg);
        break;
      case "agent_message":
        this.#addMessage(msg);
        break;
      case "agent_reasoning":
        this.#addReasoning("summary_text", msg);
        break;
      case "agent_reasoning_raw_content":
        this.#addReasoning("raw_content", msg);
        break;
      case "context_compacted":
        this.#addCompaction(msg);
        break;
      case "entered_review_mode":
        this.#enterReview(undefined);
        this.#push({ type: "Event", id: this.#itemId(msg), msg });
        break;
      case "exited_review_mode":
        this.#push({ type: "Event", id: this.#itemId(msg), msg });
        break;
      case "exec_command_end":
      case "patch_apply_end":
      case "mcp_tool_call_end":
      case "web_search_end":
        this.#addCall(msg.call_id, msg);
        break;
      case "dynamic_tool_call_response":
        this.#addCall(msg.callId, msg);
        break;
      case "item_completed":
        this.#addItem(msg);
        break;
      case "error":
        if (this.#open !== undefined) Object.assign(this.#open.turn, failedWith(msg.message));
        break;
      case "plan_update":
        if (this.#open !== undefined) this.#open.turn.plan = msg;
        break;
      case "task_complete":
        this.#complete(msg);
        break;
      case "turn_aborted":
        this.#abort(msg);
        break;
      case "thread_rolled_back":
        this.#rollBack(msg.num_turns);
        break;
      default:
        break;
    }
  }

  #addUserMessage(msg: UserMessageEvent): void {
    if ((msg.kind ?? messageKind(msg.message)) !== "plain") return;
    const open = this.#open;
    const opensTurn =
      open !== undefined && !open.explicit && !(open.compacted && open.turn.itemCount === 0);
    if (open === undefined || opensTurn) this.#begin(undefined, false);
    const named = msg.client_id === undefined ? {} : { client_id: msg.client_id };
    const content = inputOfEvent(msg);
    this.#push({ type: "UserMessage", id: this.#itemId(msg), content, ...named });
  }

  #addCall(id: string, msg: EventMsg): void {
    const item: RebuiltItem = { type: "Event", id, msg };
    if (this.#isLate(msg)) this.#addLate(item, msg);
    else this.#push(item);
  }

  /** Returns true for an event of a turn that has ended: a process or an agent may outlive it. */
  #isLate(msg: EventMsg): boolean {
    const turnId = turnIdOf(msg);
    if (turnId === undefined) return false;
    return this.#open === undefined ? this.#byId.has(turnId) : turnId !== this.#open.turn.id;
  }

  /** Adds an item to the turn that started it, unless that was rolled back. */
  #addLate(item: RebuiltItem, msg: EventMsg): void {
    const turn = this.#byId.get(turnIdOf(msg) ?? "");
    if (turn === undefined) return;
    turn.itemCount++;
    if (this.#timeMs !== undefined) item.completedAtMs ??= this.#timeMs;
    // Its line is outside of the turn's part of the file, which an outline is read from again.
    if (this.#countsOnly) turn.lateItems = [...(turn.lateItems ?? []), item];
    else turn.items.push(item);
  }

  #addMessage(msg: Extract<EventMsg, { type: "agent_message" }>): void {
    if (msg.message === "") return;
    if (msg.message === compactedMessage && this.#open?.compacted) {
      this.#addCompaction(msg);
      return;
    }
    const content = [{ type: "Text" as const, text: msg.message }];
    this.#push({ type: "AgentMessage", id: this.#itemId(msg), content, ...messageFacts(msg) });
  }

  /** A compaction may be logged more than once: as an item, as an event, or as a message. */
  #addCompaction(msg: object): void {
    const open = this.#current();
    if (open.showsCompaction) return;
    open.showsCompaction = true;
    this.#push({ type: "ContextCompaction", id: this.#itemId(msg) });
  }

  /** A review event is logged before its turn starts, and may carry the turn id. */
  #enterReview(turnId: string | undefined): void {
    if (this.#open === undefined) this.#begin(turnId, false).review = { turnId };
  }

  /** Consecutive reasoning parts form one item. */
  #addReasoning(part: "summary_text" | "raw_content", msg: { text: string }): void {
    const { text } = msg;
    if (text === "") return;
    let item = this.#current().turn.items.at(-1);
    if (item?.type !== "Reasoning" || (idOf(msg) ?? item.id) !== item.id) {
      item = { type: "Reasoning", id: this.#itemId(msg), summary_text: [], raw_content: [] };
      this.#push(item);
    }
    if (this.#countsOnly) return;
    if (part === "summary_text") item.summary_text.push(text);
    else item.raw_content = [...(item.raw_content ?? []), text];
  }

  #addItem(msg: Extract<EventMsg, { type: "item_completed" }>): void {
    const { item } = msg;
    if (item.type === "Plan" && item.text === "") return;
    if (item.type === "SubAgentActivity" && this.#isLate(msg)) return;
    if (item.type === "ContextCompaction") this.#current().showsCompaction = true;
    if ((item.type as string) === "EnteredReviewMode") this.#enterReview(msg.turn_id);
    const rebuilt = knownItems.has(item.type)
      ? item
      : ({ type: "Event", id: item.id, msg } as const);
    const timed = { ...rebuilt, ...timesOf(msg) };
    if ((item.type as string) === "CommandExecution" && this.#isLate(msg))
      this.#addLate(timed, msg);
    else this.#push(timed);
  }

  #push(item: RebuiltItem): void {
    const { turn } = this.#current();
    turn.itemCount++;
    // A line is written when its item completes.
    if (this.#timeMs !== undefined) item.completedAtMs ??= this.#timeMs;
    // The last reasoning item is retained, because more parts of it may follow.
    if (this.#countsOnly) turn.items = item.type === "Reasoning" ? [item] : [];
    else turn.items.push(item);
  }

  #current(): OpenTurn {
    return this.#open ?? this.#begin(undefined, false);
  }

  #start(id: string | undefined): void {
    const open = this.#open;
    if (open?.review === undefined || open.turn.itemCount > 1) {
      this.#begin(id, true);
      return;
    }
    open.turn.id = open.review.turnId ?? id ?? open.turn.id;
    open.turn.status = "interrupted";
    Object.assign(open, { explicit: true, review: undefined });
  }

  #begin(id: string | undefined, explicit: boolean): OpenTurn {
    this.#finish(this.#line.start);
    const turn: RebuiltTurn = {
      id: id ?? `turn-${this.#turns.length + 1}`,
      items: [],
      status: explicit ? "interrupted" : "completed",
      error: undefined,
      startedAtMs: this.#timeMs,
      completedAtMs: undefined,
      responseId: undefined,
      itemCount: 0,
      firstItem: this.#nextItem,
      position: { file: this.#line.file, start: this.#line.start, end: undefined },
    };
    this.#open = { turn, explicit, compacted: false, showsCompaction: false };
    return this.#open;
  }

  /** `end` is the offset after the turn's last line. */
  #finish(end: number): void {
    const open = this.#open;
    this.#open = undefined;
    if (open === undefined || !isWorthKeeping(open)) return;
    // If the turn continues in another file, it ends there.
    if (open.turn.position.file === this.#line.file) open.turn.position.end = end;
    if (this.#countsOnly) open.turn.items = [];
    this.#turns.push(open.turn);
    this.#byId.set(open.turn.id, open.turn);
  }

  #complete({ turn_id, response_id, error }: TaskCompleteEvent): void {
    const turn = this.#find(turn_id ?? undefined);
    if (turn === undefined) return;
    if (error !== undefined) Object.assign(turn, failedWith(error.message));
    turn.responseId = response_id;
    if (turn.status === "interrupted") turn.status = "completed";
    turn.completedAtMs = this.#timeMs;
    if (turn === this.#open?.turn) this.#finish(this.#line.end);
  }

  #abort({ turn_id, response_id }: TurnAbortedEvent): void {
    const turn = this.#find(turn_id ?? undefined);
    if (turn === undefined) return;
    turn.responseId = response_id;
    turn.status = "interrupted";
    turn.completedAtMs = this.#timeMs;
    if (turn === this.#open?.turn && this.#open.explicit) this.#finish(this.#line.end);
  }

  #find(id: string | undefined): RebuiltTurn | undefined {
    const open = this.#open?.turn;
    if (id === undefined || open?.id === id) return open;
    return this.#byId.get(id) ?? open;
  }

  #rollBack(turns: number): void {
    this.#finish(this.#line.start);
    this.#turns.length = Math.max(0, this.#turns.length - turns);
    this.#byId = new Map(this.#turns.map((turn) => [turn.id, turn]));
    this.#nextItem = 1 + this.#turns.reduce((sum, { itemCount }) => sum + itemCount, 0);
  }

  /** Returns the recorded id, or else the next number. */
  #itemId(msg: object): string {
    this.#current(); // may start a turn, whose first item this is
    const number = this.#nextItem++;
    return idOf(msg) ?? `item-${number}`;
  }
}

function turnIdOf(msg: EventMsg): string | undefined {
  return "turn_id" in msg && typeof msg.turn_id === "string" ? msg.turn_id : undefined;
}

function failedWith(error: string): Pick<RebuiltTurn, "status" | "error"> {
  return { status: "failed", error };
}
