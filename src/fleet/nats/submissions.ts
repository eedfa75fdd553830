import { randomUuid } from "../../lib/ids.js";
import { CodexError } from "../../protocol/error.js";
import { isUuid } from "../../rollout/index.js";
import { fromHeaders, toHeaders } from "../../telemetry/index.js";
import type { At, SentSubmission, Submissions } from "../broker.js";
import { readSubmission } from "../read-values.js";
import { untilReached } from "../until-reached.js";
import type { ChainParts } from "./log.js";
import { headerNames, type StoredMessage } from "./messages.js";
import { nameOf } from "./subjects.js";

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
      const trace = fromHeaders((name) => message.headers.get(name)) ?? submission.trace;
      const traced = trace === undefined ? {} : { trace };
      return { ...submission, ...traced, position: message.position };
    });

  return {
    async put(threadId, { trace, ...submission }) {
      const key = encodeURIComponent(submission.id);
      const { payload, headers } = await values.encode(submission, threadId);
      // An append after the last known position succeeds only if no other submission came since.
      let ids = known.get(threadId) ?? (await readIds(threadId));
      for (;;) {
        const { head, positions } = ids;
        const before = positions.get(key);
        if (before !== undefined) return { position: before, isNew: false };
        const message = {
          payload,
          headers: { ...headers, ...toHeaders(trace), [headerNames.id]: key },
          id: randomUuid(),
        };
        const position = await chain.append(subjectOf(threadId), message, head);
        if (position !== undefined) {
          positions.set(key, position);
          ids.head = position;
          return { position, isNew: true };
        }
        // Another client was faster, or the broker has lost its store.
        if ((await chain.read(subjectOf(threadId), head)).length === 0) known.delete(threadId);
        ids = await readIds(threadId);
      }
    },

    async *follow(threadId, after, signal) {
      for await (const message of chain.follow(subjectOf(threadId), after, signal)) {
        // A large one is read in pieces, and the broker may be away in between.
        const submission = await untilReached(() => read(message), { signal });
        if (submission !== undefined) yield submission;
      }
    },

    async head(threadId) {
      const last = await chain.last(subjectOf(threadId));
      if (last === undefined || (await read(last)) !== undefined) return last?.position ?? 0;
      const all = await Promise.all((await chain.read(subjectOf(threadId), 0)).map(read));
      return all.findLast((submission) => submission !== undefined)?.position ?? 0;
    },

    async recent(mark) {
      const last = await chain.end();
      const after = mark === 0 ? Math.max(0, last - mostRecent) : mark;
      if (last <= after) return { mark: last, threads: new Map() };
      const messages = await chain.heads(subjects.all("sub"), after);
      const threads = messages.map(({ subject, position }) => [nameOf(subject), position] as const);
      return { mark: last, threads: new Map(threads.filter(([name]) => isUuid(name))) };
    },
  };
}

/** Positions of the submissions of a thread by id, up to a position. */
interface KnownIds {
  head: number;
  positions: Map<string, number>;
}

const mostThreads = 1_000;
/** Number of submissions that count as recent without a mark. */
const mostRecent = 10_000;
