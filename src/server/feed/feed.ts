import type { Era } from "../../compat/index.js";
import { SharedNotification } from "../../jsonrpc/index.js";
import type { Clock } from "../../lib/clock.js";
import type { ThreadItem } from "../../protocol/rpc/v2/item.js";
import type { V2Notifications } from "../../protocol/rpc/v2/methods.generated.js";
import type { ThreadStatus } from "../../protocol/rpc/v2/status.js";
import type { Turn } from "../../protocol/rpc/v2/turn.js";
import type { UserInput } from "../../protocol/rpc/v2/user-input.js";
import type { Event, EventMsg } from "../../protocol/types.js";
import { OpenQuestions, toQuestion } from "../requests/pending.js";
import type { Question } from "../requests/request.js";
import type { Thread } from "../thread/index.js";
import type { EventNotifications } from "../v1/event-notification.js";
import { patchOutput, withItem } from "./legacy.js";
import { DeltaWriter, FeedMessage, isDelta, Recent } from "./message.js";
import { tellEvent } from "./project.js";
import { Teller } from "./projection.js";
import { tellStarted } from "./turn.js";

/** A client of a thread; must not throw. */
export interface FeedListener {
  /** Also wants the events of the queues. */
  readonly wantsLegacy: boolean;
  hear(message: FeedMessage): void;
  /** A promise while the client is far behind. */
  room?(): Promise<void> | undefined;
  /** Is asked something, which it answers or refuses to. */
  ask(question: Question): void;
  /** Some of what the listener missed is gone. */
  onGap(gap: { after: number; seq: number }): void;
  /** The thread is gone; nothing follows. */
  onEnd?(): void;
}

/** What a feed needs of the server. */
interface FeedParts {
  era: Era;
  clock: Clock;
  notifications: EventNotifications;
}

/**
 * What one thread tells its clients: written once for all of them, numbered, and kept for a while.
 *
 * It hears the thread from its making until the thread has ended.
 */
export class ThreadFeed {
  readonly sentMessages = new SentMessages();
  #thread: Thread;
  #parts: FeedParts;
  #teller: Teller;
  #listeners = new Set<FeedListener>();
  #legacyListeners = 0;
  #recent = new Recent(maxRecentBytes);
  #deltas = new DeltaWriter();
  #seq = 0;
  #questions: OpenQuestions;
  /** Ids that were given out for input which joined a turn, and that turn. */
  #joined = new Map<string, string>();
  #beforeAborted: (() => void)[] = [];
  /** Submissions whose first event someone waits for. */
  #beforeAnswer = new Map<string, (msg: EventMsg) => void>();

  constructor(thread: Thread, parts: FeedParts, onEnd: () => void) {
    this.#thread = thread;
    this.#parts = parts;
    const { era, clock } = parts;
    this.#teller = new Teller({
      threadId: thread.id,
      era: era.v2,
      clock,
      send: (method, params) => this.tell(method, params),
    });
    this.#questions = new OpenQuestions(this.#teller);
    thread.subscribe({
      onEvent: (event, from) => this.#hear(event, from),
      room: () => this.#room(),
      onEnd: () => {
        onEnd();
        const ended = { type: "error" as const, message: `Thread ${thread.id} has ended` };
        for (const answered of this.#beforeAnswer.values()) answered(ended);
        for (const listener of [...this.#listeners]) listener.onEnd?.();
        this.#listeners.clear();
      },
    });
  }

  /** The live thread; another one when the conversation was begun anew. */
  get thread(): Thread {
    return this.#thread;
  }

  /** What the thread does just now. */
  get status(): ThreadStatus {
    return this.#teller.status;
  }

  /** The turn that runs, or that was promised and is about to. */
  get turnId(): string | undefined {
    return this.#teller.turn?.id ?? [...this.#teller.announced].at(-1);
  }

  /** The turn behind an id: input that joined a turn may have been answered with an id of its own. */
  actualTurn(turnId: string): string {
    return this.#joined.get(turnId) ?? turnId;
  }

  /** The items of the turn that runs which have begun and are not complete. */
  get openItems(): ThreadItem[] {
    return [...this.#teller.open.values()];
  }

  get isHeard(): boolean {
    return this.#listeners.size > 0;
  }

  /** Adds a listener, who hears what came after a number first, and is asked what waits. */
  subscribe(listener: FeedListener, after = this.#seq): () => void {
    this.#catchUp(listener, after);
    this.#listeners.add(listener);
    if (listener.wantsLegacy) this.#legacyListeners++;
    this.#questions.askAll(listener);
    return () => {
      if (!this.#listeners.delete(listener)) return;
      if (listener.wantsLegacy) this.#legacyListeners--;
      this.#questions.recount(this.#thread, this.#listeners);
    };
  }

  /** Tells all who listen. */
  tell<Method extends keyof V2Notifications>(
    method: Method,
    params: V2Notifications[Method],
  ): void {
    const { era, clock } = this.#parts;
    if (era.v2.untold.has(method)) return;
    const members = era.v2.emittedAt ? { emittedAtMs: clock.now() } : undefined;
    if (isDelta(params)) {
      this.#send(this.#deltas.write(method, params, members), false, params.delta.length);
    } else {
      this.#send(new SharedNotification({ method, params }, members), false);
    }
  }

  /** A client was told of a turn that is about to begin. */
  announce(turn: Turn, clientMessageId: string | null): void {
    this.#teller.announced.add(turn.id);
    this.expectMessage(turn.id, clientMessageId);
    if (this.#parts.era.v2.turnStarted === "with the reply") tellStarted(turn, this.#teller);
  }

  /** Input has joined the turn that runs, and was answered as a turn. */
  join(turn: Turn, clientMessageId: string | null): void {
    const running = this.turnId ?? turn.id;
    this.expectMessage(running, clientMessageId);
    if (turn.id === running) return;
    this.#joined.set(turn.id, running);
    if (this.#parts.era.v2.turnStarted === "with the reply") tellStarted(turn, this.#teller);
  }

  /** Does something once, when a turn has been aborted and clients of v2 are about to hear of it. */
  beforeAborted(action: () => void): void {
    this.#beforeAborted.push(action);
  }

  /** Does something once, before clients hear that the submission begins a turn or is refused. */
  beforeAnswer(submissionId: string, action: (msg: EventMsg) => void): void {
    this.#beforeAnswer.set(submissionId, action);
  }

  /** A message joins a turn, under the name that its client gave it. */
  expectMessage(turnId: string, clientMessageId: string | null): void {
    const waiting = this.#teller.clientIds.get(turnId) ?? [];
    this.#teller.clientIds.set(turnId, [...waiting, clientMessageId]);
  }

  /** Gives an answer to the engine, unless another client was faster. */
  answer(question: Question, answer: unknown): void {
    this.#questions.answer(question, question.toOp(answer), this.#thread);
  }

  /** A listener will not answer. */
  refuse(question: Question, listener: FeedListener): void {
    this.#questions.refuse(question, listener, this.#thread, this.#listeners);
  }

  #room(): Promise<void> | undefined {
    for (const listener of this.#listeners) {
      const room = listener.room?.();
      if (room !== undefined) return room;
    }
    return undefined;
  }

  #hear(event: Event, from: Thread): void {
    this.#thread = from;
    const answered = this.#beforeAnswer.get(event.id);
    if (answered !== undefined && event.msg.type !== "warning") {
      this.#beforeAnswer.delete(event.id);
      answered(event.msg);
    }
    if (isEnd(event)) this.#joined.clear();
    if (this.#isAnswer(event)) return;
    const output = this.#parts.era.v2.patchOutput ? patchOutput(event) : undefined;
    if (output !== undefined) this.#tellOf(output);
    this.#tellOf(event);
  }

  /** What is said against a request is the reply to it, and concerns nobody else. */
  #isAnswer({ id, msg }: Event): boolean {
    if (msg.type !== "error" || id === "") return false;
    const { turn, announced } = this.#teller;
    return turn?.submission !== id && !announced.has(id);
  }

  /** The same in the older words comes first, where a client wants it. */
  #tellOf(event: Event): void {
    if (!this.#isLegacyWanted()) {
      this.#tell(event);
    } else {
      const placed = withItem(event);
      this.#tellLegacy(placed ?? event);
      this.#tell(event);
      if (placed !== undefined) this.#tellLegacy(event);
    }
    const question = toQuestion(event, this.#teller);
    if (question !== undefined) this.#questions.ask(question, this.#thread, this.#listeners);
  }

  #tell(event: Event): void {
    if (isEnd(event)) for (const action of this.#beforeAborted.splice(0)) action();
    tellEvent(event, this.#teller);
  }

  #isLegacyWanted(): boolean {
    return this.#parts.era.v2.legacyEvents || this.#legacyListeners > 0;
  }

  #tellLegacy(event: Event): void {
    const notification = this.#parts.notifications.of(event, this.#thread.id);
    if (notification !== undefined) this.#send(notification, true);
  }

  #send(notification: SharedNotification, isLegacy: boolean, length?: number): void {
    const message = new FeedMessage(++this.#seq, notification, isLegacy, length);
    for (const listener of this.#listeners) {
      if (!isLegacy || listener.wantsLegacy) listener.hear(message);
    }
    message.keep();
    this.#recent.add(message);
  }

  #catchUp(listener: FeedListener, after: number): void {
    const missed = after > this.#seq ? undefined : this.#recent.after(after);
    if (missed === undefined) {
      listener.onGap({ after, seq: this.#recent.lost });
      return;
    }
    for (const message of missed) {
      if (!message.isLegacy || listener.wantsLegacy) listener.hear(message);
    }
  }
}

function isEnd({ msg }: Event): boolean {
  return msg.type === "turn_aborted" || msg.type === "task_complete";
}

/** How much of what was told is kept for clients that come back. */
const maxRecentBytes = 256 * 1024;

/** What the live threads tell their clients of v2. */
export class ThreadFeeds {
  #parts: FeedParts;
  #feeds = new Map<string, ThreadFeed>();

  constructor(parts: FeedParts) {
    this.#parts = parts;
  }

  /** The feed of a live thread; it is made when it is first asked for. */
  of(thread: Thread): ThreadFeed {
    const found = this.#feeds.get(thread.id);
    if (found !== undefined) return found;
    const feed = new ThreadFeed(thread, this.#parts, () => this.#feeds.delete(thread.id));
    this.#feeds.set(thread.id, feed);
    return feed;
  }

  /** The feed of a thread, if it has one. */
  find(threadId: string): ThreadFeed | undefined {
    return this.#feeds.get(threadId);
  }
}

/**
 * The messages that clients have sent to a thread lately, by the names they gave them.
 *
 * A client that lost the reply sends a message again under the same name: it is one message. The
 * same name for other text is another message, for some clients count from 1 in every process.
 */
class SentMessages {
  #turns = new Map<string, string>();

  /** The turn of a message that was sent already. */
  find(clientId: string | null, input: readonly UserInput[]): string | undefined {
    return clientId === null ? undefined : this.#turns.get(keyOf(clientId, input));
  }

  add(clientId: string | null, input: readonly UserInput[], turnId: string): void {
    if (clientId === null) return;
    this.#turns.set(keyOf(clientId, input), turnId);
    const [oldest] = this.#turns.keys();
    if (this.#turns.size > mostMessages && oldest !== undefined) this.#turns.delete(oldest);
  }
}

const mostMessages = 32;

function keyOf(clientId: string, input: readonly UserInput[]): string {
  return JSON.stringify([clientId, input]);
}
