import { isAbsolute, resolve } from "node:path";
import { Queue } from "../lib/async.js";
import { errorText } from "../lib/errors.js";
import { CodexError } from "../protocol/error.js";
import type { Event, EventMsg, Op, Submission } from "../protocol/types.js";
import { configureSession } from "./configure-session.js";
import { answerOps } from "./ops/answers.js";
import { backgroundOps } from "./ops/background.js";
import { followUpOps } from "./ops/follow-ups.js";
import { inputOps } from "./ops/input.js";
import type { OpHandler, OpHandlers, SessionOpType } from "./ops/op-handler.js";
import { rewindOps } from "./ops/rewind.js";
import { sampleOps } from "./ops/sample.js";
import { threadOps } from "./ops/thread.js";
import { userShellOps } from "./ops/user-shell.js";
import type { EngineParts, QueuePair } from "./parts.js";
import type { Session } from "./session.js";

/**
 * Runs an engine on a pair of queues until it is shut down or the submissions end.
 *
 * It starts without a session: `configure_session` makes it. After the last submission it waits
 * for the running task, so that a client may close its side and still read the answer.
 */
export async function runCodex(queues: QueuePair, parts: EngineParts): Promise<void> {
  const codex = new Codex(queues, parts);
  for await (const submission of queues.submissions) {
    if ((await codex.handle(submission)) === "shutdown") break;
  }
  await codex.end();
  queues.end();
}

/** Handlers of the ops; a missing one does not compile. */
const handlers: OpHandlers = {
  ...answerOps,
  ...backgroundOps,
  ...inputOps,
  ...rewindOps,
  ...sampleOps,
  ...threadOps,
  ...userShellOps,
  ...followUpOps,
};

class Codex {
  #queues: QueuePair;
  #parts: EngineParts;
  #session: Session | undefined;

  constructor(queues: QueuePair, parts: EngineParts) {
    this.#queues = queues;
    this.#parts = parts;
  }

  /** The error boundary of every op: an exception becomes an `error` event under its id. */
  async handle(submission: Submission): Promise<"shutdown" | undefined> {
    const { id, op } = submission;
    this.#session?.parts.observer?.onSubmission(submission);
    if (op.type === "shutdown") {
      await this.#close();
      this.#emit(id, { type: "shutdown_complete" });
      return "shutdown";
    }
    try {
      await this.#run(op, id);
    } catch (error) {
      this.#emit(id, { type: "error", message: messageOf(error) });
      this.#queues.applied?.(id);
    }
    if (!startsTask.has(op.type)) this.#queues.applied?.(id);
    return undefined;
  }

  async end(): Promise<void> {
    this.#session?.followUps?.holdGoal();
    // A queued task starts when the one before it ends.
    while (this.#session?.task !== undefined) await this.#session.task.settled;
    await this.#close();
  }

  async #run(submitted: Exclude<Op, { type: "shutdown" }>, id: string): Promise<void> {
    const op = withAbsoluteCwd(submitted, this.#parts.cwd);
    if (op.type === "configure_session") {
      this.#session = await configureSession(
        { op, id, existing: this.#session },
        this.#queues,
        this.#parts,
      );
      return;
    }
    if (this.#session === undefined) {
      const message = `There is no session yet for ${op.type}: send configure_session first`;
      throw new CodexError("no_session", message);
    }
    const handler = handlers[op.type] as OpHandler<SessionOpType>;
    await handler(this.#session, op, id);
  }

  #emit(id: string, msg: EventMsg): void {
    if (this.#session === undefined) this.#queues.publish({ id, msg });
    else this.#session.emit(id, msg);
  }

  async #close(): Promise<void> {
    await this.#session?.close();
  }
}

/** Ops that are applied when their input is recorded, or when their task ends. */
const startsTask: ReadonlySet<Op["type"]> = new Set<Op["type"]>([
  "user_turn",
  "user_input",
  "steer_input",
  "compact",
  "review",
  "run_user_shell_command",
  "continue_turn",
]);

function messageOf(error: unknown): string {
  if (error instanceof CodexError) return error.message;
  return `Internal error: ${errorText(error)}`;
}

/** The op with an absolute working directory; a relative one is taken from the server's own. */
function withAbsoluteCwd<AnyOp extends Op>(op: AnyOp, serverCwd: string): AnyOp {
  if (!("cwd" in op) || typeof op.cwd !== "string" || isAbsolute(op.cwd)) return op;
  return { ...op, cwd: resolve(serverCwd, op.cwd) };
}

/** A queue pair in this process, with the client's side of it. */
export interface InProcessQueues extends QueuePair {
  /** Submissions of the client. */
  readonly submissions: Queue<Submission>;
  /** Events of the engine. */
  readonly events: Queue<Event>;
}

/**
 * Creates the queues of a client and an engine that share a process.
 *
 * `room` is the one of `QueuePair`; without it the engine never waits for its client.
 */
export function createQueues({ room }: Pick<QueuePair, "room"> = {}): InProcessQueues {
  const submissions = new Queue<Submission>();
  const events = new Queue<Event>();
  return {
    submissions,
    events,
    publish: (event) => events.push(event),
    end: () => events.close(),
    ...(room === undefined ? {} : { room }),
  };
}
