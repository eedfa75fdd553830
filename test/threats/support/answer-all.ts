import type { EventMsg, Op } from "../../../src/protocol/types.js";
import type { TestCodex } from "../../support/codex.js";

type Question = Extract<EventMsg, { type: "exec_approval_request" }>;

/** Runs a turn, answers every approval request alike, and returns the requests. */
export async function answerAll(
  codex: TestCodex,
  op: Op,
  decision: "approved" | "denied",
  look: (question: Question) => void = () => {},
): Promise<Question[]> {
  const asked: Question[] = [];
  codex.submit(op);
  const over = codex.until("task_complete").then(() => undefined);
  for (;;) {
    const event = await Promise.race([codex.until("exec_approval_request"), over]);
    if (event === undefined) return asked;
    asked.push(event.msg);
    look(event.msg);
    codex.submit({ type: "exec_approval", id: event.msg.call_id, decision });
  }
}
