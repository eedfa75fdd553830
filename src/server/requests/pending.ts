import type { Event, Op } from "../../protocol/types.js";
import { type EventOf, type Teller, turnOf } from "../feed/projection.js";
import { startedCommand } from "../items/index.js";
import type { Thread } from "../thread/index.js";
import { commandQuestion, patchQuestion, permissionsQuestion } from "./approvals.js";
import type { Question } from "./request.js";
import { elicitationQuestion, toolCallQuestion, userInputQuestion } from "./tools.js";

/** Who can be asked; must not throw. */
interface Answerer {
  ask(question: Question): void;
}

/** What a thread has asked its clients and not been answered yet; whoever answers first decides. */
export class OpenQuestions {
  #teller: Teller;
  #open = new Map<string, { question: Question; refusedBy: Set<Answerer> }>();
  /** The answer that is being given. */
  #answer: Op | undefined;

  constructor(teller: Teller) {
    this.#teller = teller;
  }

  /** Asks someone who has just come what waits for an answer. */
  askAll(answerer: Answerer): void {
    for (const { question } of [...this.#open.values()]) answerer.ask(question);
  }

  /** Asks everyone; an item has begun before anything is asked about it. */
  ask(question: Question, thread: Thread, answerers: Iterable<Answerer>): void {
    const answered = thread.approvals.signalOf(question.key);
    if (answered === undefined) return;
    this.#open.set(question.key, { question, refusedBy: new Set() });
    this.#tellWaiting();
    const { event } = question;
    if (event.msg.type === "exec_approval_request") {
      this.#teller.start(startedCommand(event.msg), turnOf(event, this.#teller));
    }
    const asked = [...answerers];
    for (const answerer of asked) answerer.ask(question);
    answered.addEventListener("abort", () => this.#onAnswered(question, thread), { once: true });
    if (asked.length === 0) this.#declineUnreviewed(thread);
  }

  /** Gives an answer to the engine, unless another client was faster. */
  answer(question: Question, op: Op, thread: Thread): void {
    this.#answer = op;
    const isFirst = thread.approvals.settle(question.key);
    this.#answer = undefined;
    if (isFirst) thread.submit(op);
  }

  /**
   * A client says that it will not answer. To what only some clients can answer, this is an answer
   * when nobody is left who could give another.
   */
  refuse(question: Question, answerer: Answerer, thread: Thread, all: ReadonlySet<Answerer>): void {
    this.#open.get(question.key)?.refusedBy.add(answerer);
    if (!question.needsAbility) this.answer(question, question.refusal, thread);
    else this.recount(thread, all);
  }

  /** Gives up on what all who are left have refused. */
  recount(thread: Thread, all: ReadonlySet<Answerer>): void {
    if (all.size === 0) {
      this.#declineUnreviewed(thread);
      return; // who comes next is asked
    }
    for (const { question, refusedBy } of [...this.#open.values()]) {
      if (refusedBy.size === 0 || ![...all].every((one) => refusedBy.has(one))) continue;
      this.answer(question, question.refusal, thread);
    }
  }

  /**
   * Declines the approvals that no client can review, if an automatic reviewer was to.
   *
   * A client that chose `auto_review` does not expect to be asked, so it may never come back.
   */
  #declineUnreviewed(thread: Thread): void {
    if (thread.settings.approvalsReviewer === "user") return;
    for (const { question } of [...this.#open.values()]) {
      if (waitsOn[question.method] !== "waitingOnApproval") continue;
      const { threadId } = this.#teller;
      this.#teller.tell("warning", { threadId, message: unreviewed });
      this.answer(question, question.refusal, thread);
    }
  }

  #onAnswered(question: Question, thread: Thread): void {
    this.#open.delete(question.key);
    if (this.#answer !== undefined) this.#tellDeclined(question, this.#answer);
    if (thread.isBusy) this.#tellWaiting(); // else the turn is over, and that is told next
  }

  #tellWaiting(): void {
    if (this.#teller.status.type !== "active") return;
    const methods = [...this.#open.values()].map(({ question }) => question.method);
    const flags = [...new Set(methods.flatMap((method) => waitsOn[method] ?? []))];
    this.#teller.status = { type: "active", activeFlags: flags };
  }

  #tellDeclined({ event, refusal }: Question, op: Op): void {
    if (op.type !== "exec_approval" && op.type !== "patch_approval") return;
    if (op.decision !== "denied" && op.decision !== "abort") return;
    const status = op === refusal ? "failed" : "declined";
    this.#teller.decline(op.id, turnOf(event, this.#teller), status);
  }
}

const unreviewed =
  "An approval request was declined: `approvals_reviewer` is `auto_review`, there is no automatic " +
  "reviewer, and no client is subscribed to be asked instead.";

const waitsOn: Partial<Record<Question["method"], "waitingOnApproval" | "waitingOnUserInput">> = {
  "item/commandExecution/requestApproval": "waitingOnApproval",
  "item/fileChange/requestApproval": "waitingOnApproval",
  "item/permissions/requestApproval": "waitingOnApproval",
  "mcpServer/elicitation/request": "waitingOnUserInput",
  "item/tool/requestUserInput": "waitingOnUserInput",
};

/** The question that an event asks; nothing for other events. */
export function toQuestion(event: Event, teller: Teller): Question | undefined {
  switch (event.msg.type) {
    case "exec_approval_request":
      return commandQuestion(event as EventOf<"exec_approval_request">, teller);
    case "apply_patch_approval_request":
      return patchQuestion(event as EventOf<"apply_patch_approval_request">, teller);
    case "request_user_input":
      return userInputQuestion(event as EventOf<"request_user_input">, teller);
    case "request_permissions":
      return permissionsQuestion(event as EventOf<"request_permissions">, teller);
    case "elicitation_request":
      return elicitationQuestion(event as EventOf<"elicitation_request">, teller);
    case "dynamic_tool_call_request":
      return toolCallQuestion(event as EventOf<"dynamic_tool_call_request">, teller);
    default:
      return undefined;
  }
}
