import { randomUuid } from "../../lib/ids.js";
import { CodexError } from "../../protocol/error.js";
import type { At, SentSubmission, Submissions } from "../broker.js";
import { readSubmission } from "../read-values.js";
import type { ChainParts } from "./log.js";
import { headerNames } from "./messages.js";

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
        const submission = await quarantine.read("sub", message, async () => {
          const read = readSubmission(await values.decode(message));
          if (encodeURIComponent(read.id) === message.headers.get(headerNames.id)) return read;
          throw new CodexError(
            "invalid_request",
            "The id of the submission is not that of its header",
          );
        });
        if (submission !== undefined)
          yield { ...submission, position: message.position } satisfies At<SentSubmission>;
      }
    },

    async head(threadId) {
      return (await chain.last(subjectOf(threadId)))?.position ?? 0;
    },
  };
}

/** Positions of the submissions of a thread by id, up to a position. */
interface KnownIds {
  head: number;
  positions: Map<string, number>;
}

const mostThreads = 1_000;
