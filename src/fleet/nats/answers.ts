import { randomUuid } from "../../lib/ids.js";
import type { Answer, Answers } from "../broker.js";
import { readAnswer } from "../read-values.js";
import type { ChainParts } from "./log.js";
import type { StoredMessage } from "./messages.js";

/** The answers of a thread: one chain, in which the first answer to a question counts. */
export function createAnswers({ chain, subjects, values, quarantine }: ChainParts): Answers {
  const subjectOf = (threadId: string) => subjects.of("answer", threadId);
  const read = (message: StoredMessage) =>
    quarantine.read("answer", message, async () => readAnswer(await values.decode(message)));

  return {
    async answer(threadId, answer) {
      const subject = subjectOf(threadId);
      const encoded = await values.encode(answer, threadId);
      for (;;) {
        const messages = await chain.read(subject, 0);
        for (const message of messages) {
          const before = await read(message);
          if (before?.question === answer.question) return isSame(before, answer);
        }
        const head = messages.at(-1)?.position ?? 0;
        const stored = await chain.append(subject, { ...encoded, id: randomUuid() }, head);
        if (stored !== undefined) return true;
      }
    },

    async follow(threadId, onAnswer, signal) {
      const questions = new Set<string>();
      const call = async (message: StoredMessage) => {
        const answer = await read(message);
        if (answer === undefined || questions.has(answer.question) || signal.aborted) return;
        questions.add(answer.question);
        onAnswer(answer);
      };
      const stored = await chain.read(subjectOf(threadId), 0);
      for (const message of stored) await call(message);
      const head = stored.at(-1)?.position ?? 0;
      void (async () => {
        const later = chain.follow(subjectOf(threadId), head, signal);
        for await (const message of later) await call(message);
      })();
    },
  };
}

/** Returns true for a repetition by the same gateway, whose first try was stored without its knowledge. */
function isSame(one: Answer, other: Answer): boolean {
  return (
    one.client === other.client &&
    one.gateway === other.gateway &&
    one.answeredAtMs === other.answeredAtMs
  );
}
