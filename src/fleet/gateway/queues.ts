import type { QueuePair } from "../../engine/index.js";
import { errorText } from "../../lib/errors.js";
import { CodexError } from "../../protocol/error.js";
import type { ConfigureSessionOp, Event, Op, Submission } from "../../protocol/types.js";
import { isUuid } from "../../rollout/index.js";
import type { Server, Thread } from "../../server/index.js";
import type { Channel } from "../../transport/index.js";
import { answerOf } from "../questions.js";

/**
 * Serves the submission and event queues of one client; its first submission is `configure_session`, which starts a
 * thread, or with the id of one as `resume_path` continues it.
 *
 * The thread goes on when the client leaves.
 */
export async function serveFleetQueues(channel: Channel, server: Server): Promise<void> {
  const { serveQueues } = await import("../../server/sqeq/serve.js");
  const run = (queues: QueuePair) => runOnFleet(queues, server);
  await serveQueues(channel, { parts: server.parts, startSession: false, run });
}

async function runOnFleet(queues: QueuePair, server: Server): Promise<void> {
  const client = new QueueClient(queues, server);
  for await (const submission of queues.submissions) {
    const { id, op } = submission;
    if (op.type === "shutdown") {
      queues.publish({ id, msg: { type: "shutdown_complete" } });
      break;
    }
    try {
      await client.handle(submission);
    } catch (error) {
      queues.publish({ id, msg: { type: "error", message: errorText(error) } });
    }
  }
  client.leave();
  queues.end();
}

/** A client of the queues, and the thread that it has. */
class QueueClient {
  readonly #queues: QueuePair;
  readonly #server: Server;
  /** Ids of the client by those that its submissions have in the fleet: clients count from 1. */
  readonly #ids = new Map<string, string>();
  #thread: Thread | undefined;
  #unsubscribe: (() => void) | undefined;

  constructor(queues: QueuePair, server: Server) {
    this.#queues = queues;
    this.#server = server;
  }

  async handle({ id, op, trace }: Submission): Promise<void> {
    if (op.type === "configure_session") return this.#configure(id, op);
    const thread = this.#thread;
    if (thread === undefined) {
      const message = `There is no session yet for ${op.type}: send configure_session first`;
      throw new CodexError("no_session", message);
    }
    await this.#server.fleet?.prepare(
      { method: methodOf(op), params: { threadId: thread.id } },
      this.#server,
    );
    if (answerOf(op) !== undefined) return thread.answer(op, "queues");
    const own = this.#server.parts.newId();
    this.#ids.set(own, id);
    thread.submit(op, own, trace);
  }

  leave(): void {
    this.#unsubscribe?.();
  }

  async #configure(id: string, op: ConfigureSessionOp): Promise<void> {
    const { threads, fleet } = this.#server;
    const { resume_path: threadId, type: _, ...settings } = op;
    if (threadId !== undefined && !isUuid(threadId)) {
      const message = `Expected the id of a thread as resume_path (got "${threadId}")`;
      throw new CodexError("invalid_request", message);
    }
    this.leave();
    await fleet?.prepare({ method: "thread/resume", params: { threadId } }, this.#server);
    this.#thread =
      threadId === undefined ? await threads.start(settings) : await threads.load(threadId, {});
    this.#queues.publish({ id, msg: this.#thread.configured });
    const { room } = this.#queues;
    const pending = new Set(this.#thread.state.requests.events);
    // Of a thread that is continued, the events before are not repeated, but for pending requests.
    let isPast = threadId !== undefined;
    this.#unsubscribe = this.#thread.subscribe({
      onEvent: (event) => {
        if (!isPast || pending.has(event)) this.#pass(event);
      },
      ...(room === undefined ? {} : { room: () => room() }),
      onEnd: () => this.#queues.publish({ id, msg: { type: "shutdown_complete" } }),
    });
    isPast = false;
  }

  #pass(event: Event): void {
    if (event.msg.type === "session_configured") return;
    this.#queues.publish({ ...event, id: this.#ids.get(event.id) ?? event.id });
  }
}

/** The method of v2 that does the same, which decides if the thread may have it. */
function methodOf({ type }: Op): string {
  return type === "interrupt" ? "turn/interrupt" : "turn/start";
}
