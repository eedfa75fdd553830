import type { ModelClient } from "../model/index.js";
import type { Event, EventMsg, Submission, TraceContext } from "../protocol/types.js";
import type { ToolBox } from "../tools/index.js";
import { toMessages } from "./content.js";
import { observedModel } from "./observed-model.js";
import { observedTools } from "./observed-tools.js";
import type { SessionObserver } from "./observer.js";
import { type SessionTrace, secondsSince } from "./session-trace.js";

/** Options of an observer besides the session. */
export interface ObserverOptions {
  /** Name of the agent; undefined for the conversation of the user. */
  agent: string | undefined;
  /** Returns the span that a turn without a caller is a part of. */
  parentOf(rootTurnId: string | undefined): TraceContext | undefined;
  onTurn(turnId: string, context: TraceContext | undefined): void;
  onTurnEnd(turnId: string): void;
  onClose(): void;
}

/** Measures each turn of a session as a span `invoke_agent`, and what happens in it. */
export class TurnObserver implements SessionObserver {
  readonly #session: SessionTrace;
  readonly #options: ObserverOptions;
  /** Callers of turns that have not started, by submission. */
  readonly #callers = new Map<string, TraceContext>();

  constructor(session: SessionTrace, options: ObserverOptions) {
    this.#session = session;
    this.#options = options;
  }

  onSubmission({ id, op, trace }: Submission): void {
    if (trace !== undefined) this.#addCaller(id, trace);
    // A turn that is continued here has started elsewhere.
    if (op.type === "continue_turn") this.#startTurn({ id, turn_id: op.turn_id });
    if (op.type === "exec_approval" || op.type === "patch_approval") {
      const decision = typeof op.decision === "string" ? op.decision : Object.keys(op.decision)[0];
      this.#session.log("codex.tool_decision", { call_id: op.id, decision, source: "user" });
    }
  }

  queues<Queues extends { publish(event: Event): void }>(queues: Queues): Queues {
    return {
      ...queues,
      publish: (event: Event) => {
        this.#onEvent(event);
        queues.publish(event);
      },
    };
  }

  model(client: ModelClient): ModelClient {
    return observedModel(client, this.#session);
  }

  tools(box: ToolBox): ToolBox {
    return observedTools(box, this.#session);
  }

  close(): void {
    this.#endTurn("interrupted");
    this.#options.onClose();
  }

  #addCaller(id: string, trace: TraceContext): void {
    this.#callers.set(id, trace);
    if (this.#callers.size <= mostCallers) return;
    for (const oldest of this.#callers.keys()) {
      this.#callers.delete(oldest);
      return;
    }
  }

  #onEvent(event: Event): void {
    const { msg } = event;
    switch (msg.type) {
      case "session_configured":
        this.#onStart(msg);
        break;
      case "task_started":
        this.#startTurn(event, msg.root_turn_id);
        break;
      case "user_message":
        this.#onPrompt(msg.message);
        break;
      case "agent_message":
        this.#onAnswer(msg.message);
        break;
      case "guardian_assessment":
        this.#onAssessment(msg);
        break;
      case "error":
        if (this.#session.turn !== undefined && event.id === this.#session.turn.submissionId) {
          this.#session.turn.failure = errorType(msg.codex_error_info);
        }
        break;
      case "task_complete":
        if (event.id === this.#session.turn?.submissionId) this.#endTurn("completed");
        break;
      case "turn_aborted":
        if (event.id === this.#session.turn?.submissionId) this.#endTurn(msg.reason);
        break;
    }
  }

  #onStart(msg: MessageOf<"session_configured">): void {
    const { approval_policy: policy } = msg;
    this.#session.log("codex.conversation_starts", {
      model: msg.model,
      provider_name: msg.model_provider_id,
      reasoning_effort: msg.reasoning_effort ?? undefined,
      approval_policy: typeof policy === "string" ? policy : "custom",
    });
  }

  #startTurn({ id, turn_id: turnId }: Pick<Event, "id" | "turn_id">, rootTurnId?: string): void {
    const session = this.#session;
    if (session.turn?.submissionId === id) return;
    this.#endTurn("replaced");
    const { agent, parentOf, onTurn } = this.#options;
    const parent = this.#callers.get(id) ?? parentOf(rootTurnId);
    this.#callers.delete(id);
    const span = session.telemetry.startSpan(
      agent === undefined ? "invoke_agent" : `invoke_agent ${agent}`,
      {
        parent,
        attributes: {
          "gen_ai.operation.name": "invoke_agent",
          "gen_ai.agent.name": agent,
          "gen_ai.conversation.id": session.id,
          "gen_ai.request.model": session.model,
          "quire.turn.id": turnId,
          ...session.common,
        },
      },
    );
    session.turn = {
      submissionId: id,
      turnId,
      span,
      startedAt: performance.now(),
      usage: { input: 0, output: 0 },
      failure: undefined,
    };
    if (turnId !== undefined) onTurn(turnId, span.context);
  }

  #endTurn(outcome: string): void {
    const session = this.#session;
    const { turn, telemetry } = session;
    if (turn === undefined) return;
    const { span, startedAt, usage, failure, turnId } = turn;
    const status = failure === undefined ? outcome : "failed";
    const seconds = secondsSince(startedAt);
    telemetry.record("quire.turn.count", 1, { "quire.turn.status": status });
    telemetry.record("gen_ai.client.operation.duration", seconds, {
      "gen_ai.operation.name": "invoke_agent",
      "gen_ai.request.model": session.model,
      ...session.common,
      "error.type": failure,
    });
    span.set({
      "quire.turn.status": status,
      "gen_ai.usage.input_tokens": usage.input,
      "gen_ai.usage.output_tokens": usage.output,
    });
    session.log(
      "codex.turn_ends",
      { status, duration_ms: Math.round(seconds * 1000), "error.type": failure },
      failure === undefined ? "info" : "error",
    );
    span.end(failure);
    session.endTurn();
    if (turnId !== undefined) this.#options.onTurnEnd(turnId);
  }

  #onPrompt(text: string): void {
    const prompt = this.#session.content.prompt(text);
    this.#session.log("codex.user_prompt", {
      prompt_length: text.length,
      prompt: prompt ?? "[REDACTED]",
    });
    if (prompt === undefined) return;
    this.#session.turn?.span.set({ "gen_ai.input.messages": toMessages("user", prompt) });
  }

  #onAnswer(text: string): void {
    const answer = this.#session.content.response(text);
    if (answer === undefined) return;
    this.#session.log("codex.agent_response", { response: answer });
    this.#session.turn?.span.set({ "gen_ai.output.messages": toMessages("assistant", answer) });
  }

  #onAssessment(msg: MessageOf<"guardian_assessment">): void {
    if (msg.status === "in_progress") return;
    this.#session.log("codex.guardian_assessment", {
      status: msg.status,
      risk_level: msg.risk_level ?? undefined,
      rationale: this.#session.content.assessment(msg.rationale ?? ""),
    });
  }
}

type MessageOf<Type extends EventMsg["type"]> = Extract<EventMsg, { type: Type }>;

/** Turns that may be queued with a caller at once. */
const mostCallers = 64;

function errorType(info: unknown): string {
  if (typeof info === "string") return info;
  const [name] = typeof info === "object" && info !== null ? Object.keys(info) : [];
  return name ?? "other";
}
