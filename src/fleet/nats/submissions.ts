import { randomUuid } from "../../lib/ids.js";
import { CodexError } from "../../protocol/error.js";
import type { At, SentSubmission, Submissions } from "../broker.js";
import { readSubmission } from "../read-values.js";
import type { ChainParts } from "./log.js";
import { headerNames, type StoredMessage } from "./messages.js";

/** The submission queues: one chain a thread, in which each id is once. */
export function createSubmissions({
  chain,
  subjects,
  values,
  quarantine,
}: ChainParts): Submissions {
  const subjectOf = (threadId: string) => subjects.of("sub", threadId);
  const known = new Map<string, KnownIds>();

  /** Reads the ids that were added since the last time. */
  const readIds = async (threadId: string): Promise<KnownIds> => {
    const ids = known.get(threadId) ?? { head: 0, positions: new Map() };
    for (const { headers, position } of await chain.read(subjectOf(threadId), ids.head)) {
      const id = headers.get(headerNames.id);
      if (id !== undefined && !ids.positions.has(id)) ids.positions.set(id, position);
      ids.head = Math.max(ids.head, position);
    }
    known.delete(threadId);
    known.set(threadId, ids);
    const [oldest] = known.keys();
    if (known.size > mostThreads && oldest !== undefined) known.delete(oldest);
    return ids;
  };

  const read = (message: StoredMessage): Promise<At<SentSubmission> | undefined> =>
    quarantine.read("sub", message, async () => {
      const submission = readSubmission(await values.decode(message));
      if (encodeURIComponent(submission.id) !== message.headers.get(headerNames.id)) {
        throw new CodexError("invalid_request", "The id is not that of the header");
      }
      return { ...submission, position: message.position };
    });

  return {
    async put(threadId, submission) {
      const key = encodeURIComponent(submission.id);
      const { payload, headers } = await values.encode(submission);
      for (;;) {
        const { head, positions } = await readIds(threadId);
        const before = positions.get(key);
        if (before !== undefined) return { position: before, isNew: false };
        const message = {
          payload,
          headers: { ...headers, [headerNames.id]: key },
          id: randomUuid(),
        };
        const position = await chain.append(subjectOf(threadId), message, head);
        if (position !== undefined) return { position, isNew: true };
        // Another client was faster, or the broker has lost its store.
        if ((await chain.read(subjectOf(threadId), head)).length === 0) known.delete(threadId);
      }
    },

    async *follow(threadId, after, signal) {
      for await (const message of chain.follow(subjectOf(threadId), after, signal)) {
        const submission = await read(message);
        if (submission !== undefined) yield submission;
      }
    },

    async head(threadId) {
      const last = await chain.last(subjectOf(threadId));
      if (last === undefined || (await read(last)) !== undefined) return last?.position ?? 0;
      const all = await Promise.all((await chain.read(subjectOf(threadId), 0)).map(read));
      return all.findLast((submission) => submission !== undefined)?.position ?? 0;
    },
  };
}

/** Positions of the submissions of a thread by id, up to a position. */
interface KnownIds {
  head: number;
  positions: Map<string, number>;
}

const mostThreads = 1_000;
