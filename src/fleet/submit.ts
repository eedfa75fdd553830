import { CodexError } from "../protocol/error.js";
import type { Broker } from "./broker.js";
import { Sender } from "./gateway/index.js";
import { poolOf } from "./pool-of.js";
import { ThreadView } from "./worker/index.js";

/** A message for a thread. */
export interface SubmittedMessage {
  threadId: string;
  text: string;
  /** Names the message: sent again, it starts no second turn. */
  clientId?: string;
  /** Pool of the thread, if the fleet does not know it yet. */
  pool?: string;
}

/**
 * Sends a message to a thread and returns the id of its turn, once the message is durable.
 *
 * It joins the turn that is active. Throws if there is no such thread.
 */
export async function submitMessage(
  broker: Broker,
  { threadId, text, clientId, pool }: SubmittedMessage,
  signal: AbortSignal,
): Promise<string> {
  const view = new ThreadView();
  for await (const batch of broker.log.read(threadId, 0)) view.readBatch(batch, () => {});
  if (view.position === 0 && (await broker.submissions.head(threadId)) === 0) {
    throw new CodexError(
      "thread_not_found",
      `The fleet has no thread ${threadId}; \`quire fleet ps\` lists its threads`,
    );
  }
  const sender = new Sender({
    broker,
    threadId,
    pool: pool ?? (await findPool(broker, threadId)),
    gateway: "quire fleet submit",
    now: Date.now,
    signal,
  });
  const { turnId } = await sender.startTurn({
    type: "user_turn",
    items: [{ type: "text", text }],
    active_turn_id: view.turn?.turnId ?? null,
    ...(clientId === undefined ? {} : { client_id: clientId }),
  });
  await sender.settled();
  return turnId;
}

/** Finds the pool of a thread; one that names none belongs to the only pool that there is. */
async function findPool(broker: Broker, threadId: string): Promise<string> {
  const entry = await broker.directory.get(threadId);
  const known =
    (await poolOf(broker, threadId, entry)) ?? (await broker.leases.read(threadId))?.pool;
  if (known !== undefined) return known;
  const pools = new Set((await broker.workers.list()).map(({ pool }) => pool));
  const [only] = pools;
  if (only !== undefined && pools.size === 1) return only;
  throw new CodexError(
    "invalid_request",
    `Expected --pool NAME: thread ${threadId} has no message yet, and the fleet has ${pools.size} pools`,
  );
}
