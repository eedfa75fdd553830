import type { At, LogBatch, ThreadLog } from "../broker.js";
import { fenced } from "../fenced.js";
import { readBatch } from "../read-values.js";
import { untilReached } from "../until-reached.js";
import type { Chain } from "./chain.js";
import { headerNames, type StoredMessage } from "./messages.js";
import type { Quarantine } from "./quarantine.js";
import type { Subjects } from "./subjects.js";
import type { Values } from "./values.js";

/** Parts that the logs and queues of threads share. */
export interface ChainParts {
  chain: Chain;
  subjects: Subjects;
  values: Values;
  quarantine: Quarantine;
}

/** The logs of threads: one chain of batches a thread. */
export function createLog({ chain, subjects, values, quarantine }: ChainParts): ThreadLog {
  const subjectOf = (threadId: string) => subjects.of("log", threadId);

  /** Reads batches in order; one with a lower epoch than those before it was not written by an owner. */
  const createReader = () => {
    let epoch = 0;
    return async (message: StoredMessage): Promise<At<LogBatch> | undefined> => {
      const batch = await quarantine.read("log", message, async () =>
        readBatch(await values.decode(message)),
      );
      if (batch === undefined) return undefined;
      if (batch.epoch < epoch) {
        quarantine.add("log", message, `epoch ${batch.epoch} follows epoch ${epoch}`);
        return undefined;
      }
      epoch = batch.epoch;
      return { ...batch, position: message.position };
    };
  };

  return {
    async append(threadId, batch, expected) {
      const subject = subjectOf(threadId);
      const id = `${threadId} ${batch.epoch} ${expected}`;
      const encoded = await values.encode(batch, threadId);
      let position = expected;
      for (;;) {
        const appended = await chain.append(subject, { ...encoded, id }, position);
        if (appended !== undefined) return appended;
        const later = await chain.read(subject, position);
        const own = later.find(({ headers }) => headers.get(headerNames.messageId) === id);
        if (own !== undefined) return own.position;
        const read = createReader();
        const foreign = await Promise.all(later.map(read));
        const head = later.at(-1)?.position ?? 0;
        // Messages that are not batches do not make another owner.
        const isFenced = head <= position || foreign.some((value) => value !== undefined);
        if (isFenced) throw fenced(threadId, expected, head);
        position = head;
      }
    },

    async *read(threadId, after) {
      const read = createReader();
      for (const message of await chain.read(subjectOf(threadId), after)) {
        const batch = await read(message);
        if (batch !== undefined) yield batch;
      }
    },

    async *follow(threadId, after, signal) {
      const read = createReader();
      let epoch = 0;
      for await (const message of chain.follow(subjectOf(threadId), after, signal)) {
        const batch = await untilReached(() => read(message), { signal });
        epoch = batch?.epoch ?? epoch;
        // A reader learns how far it has come, also if it gets nothing of a message.
        yield batch ?? { epoch, worker: "", applied: [], entries: [], position: message.position };
      }
    },

    async head(threadId) {
      const last = await chain.last(subjectOf(threadId));
      if (last === undefined) return 0;
      const isOurs = last.headers.get(headerNames.messageId)?.startsWith(`${threadId} `);
      if (isOurs && (await createReader()(last)) !== undefined) return last.position;
      let head = 0;
      for await (const { position } of this.read(threadId, 0)) head = position;
      return head;
    },
  };
}
