import { isRecord } from "../../protocol/read/check.js";
import type { Turn, TurnError } from "../../protocol/rpc/v2/turn.js";
import type { ErrorEvent, StreamErrorEvent } from "../../protocol/types.js";
import { toTurnPlan } from "../items/messages.js";
import type { EventOf, Projections, ReportedTurn, ThreadProjection } from "./projection.js";

/** Projections of turns: start, errors, diff, plan and end. */
export const turnProjections = {
  task_started({ id: submissionId, turn_id: id = submissionId, msg }, projection) {
    const startedAtMs = projection.now();
    const rootTurnId = msg.root_turn_id ?? id;
    projection.turn = { id, rootTurnId, submissionId, startedAtMs, error: null, lastMessage: null };
    projection.status = { type: "active", activeFlags: [] };
    if (projection.era.since["0.166"]) {
      notifyTurnStarted(runningTurn(projection.turn), projection);
    }
  },
  task_complete({ id, msg }, projection) {
    if (projection.turn === undefined) return endAnnounced(id, "completed", projection);
    const status = projection.turn.error === null ? "completed" : "failed";
    endTurn(projection.turn, { status, responseId: msg.response_id ?? null }, projection);
  },
  turn_aborted({ id, msg }, projection) {
    if (projection.turn === undefined) return endAnnounced(id, "interrupted", projection);
    const responseId = msg.response_id ?? null;
    endTurn(projection.turn, { status: "interrupted", responseId }, projection);
  },
  error: projectError,
  stream_error(event, projection) {
    if (projection.turn === undefined) return;
    notifyError(toTurnError(event.msg), true, projection.turn.id, projection);
  },
  turn_diff({ msg, id }, projection) {
    const { threadId, turn } = projection;
    projection.notify("turn/diff/updated", {
      threadId,
      turnId: turn?.id ?? id,
      diff: msg.unified_diff,
    });
  },
  plan_update({ msg, id }, projection) {
    const { threadId, turn } = projection;
    projection.notify("turn/plan/updated", {
      threadId,
      turnId: turn?.id ?? id,
      ...toTurnPlan(msg),
    });
  },
} satisfies Projections;

/** Notifies that a turn has started. */
export function notifyTurnStarted(turn: Turn, projection: ThreadProjection): void {
  const { threadId } = projection;
  projection.notify("turn/started", { threadId, turn });
}

/** Returns a turn of which only the id is known. */
export function startedTurn(id: string): Turn {
  return {
    id,
    rootTurnId: id,
    items: [],
    itemsView: "notLoaded",
    status: "inProgress",
    error: null,
    startedAt: null,
    completedAt: null,
    durationMs: null,
    responseId: null,
  };
}

/** Reports a turn that a client was promised; since 0.166 it is reported when it starts instead. */
export function notifyTurnPromised(turn: Turn, projection: ThreadProjection): void {
  if (!projection.era.since["0.166"]) notifyTurnStarted(turn, projection);
}

function runningTurn({ id, rootTurnId, startedAtMs }: ReportedTurn): Turn {
  return { ...startedTurn(id), rootTurnId, startedAt: toSeconds(startedAtMs) };
}

/**
 * Reports an error. It fails the turn that it occurs in, or the announced turn that it prevents;
 * one without a submission is reported as a warning.
 *
 * Errors of other submissions are replies to their requests.
 */
function projectError({ id, msg }: EventOf<"error">, projection: ThreadProjection): void {
  const error = toTurnError(msg);
  const { turn, threadId } = projection;
  if (turn?.submissionId === id) {
    turn.error = error;
    projection.status = { type: "systemError" };
    notifyError(error, false, turn.id, projection);
  } else if (projection.withdraw(id)) {
    notifyError(error, false, id, projection);
    notifyTurnCompleted({ ...startedTurn(id), status: "failed", error }, projection);
  } else if (id === "") {
    projection.notify("warning", { threadId, message: msg.message });
  }
}

/** Ends an announced turn that never started. */
function endAnnounced(id: string, status: Turn["status"], projection: ThreadProjection): void {
  if (projection.withdraw(id)) notifyTurnCompleted({ ...startedTurn(id), status }, projection);
}

function notifyError(
  error: TurnError,
  willRetry: boolean,
  turnId: string,
  projection: ThreadProjection,
): void {
  const { threadId } = projection;
  projection.notify("error", {
    error,
    willRetry,
    threadId,
    turnId,
  });
}

function endTurn(
  turn: ReportedTurn,
  { status, responseId }: Pick<Turn, "status" | "responseId">,
  projection: ThreadProjection,
): void {
  projection.turn = undefined;
  forgetItems(projection);
  if (projection.status.type !== "systemError") projection.status = { type: "idle" };
  const completedAtMs = projection.now();
  const items =
    status === "completed" && turn.lastMessage !== null && projection.era.since["0.166"]
      ? [turn.lastMessage]
      : [];
  const ended: Turn = {
    ...runningTurn(turn),
    items,
    itemsView: items.length === 0 ? "notLoaded" : "summary",
    status,
    error: status === "failed" ? turn.error : null,
    completedAt: toSeconds(completedAtMs),
    durationMs: Math.max(0, completedAtMs - turn.startedAtMs),
    responseId,
  };
  notifyTurnCompleted(ended, projection);
}

/** Forgets the open items of a turn, except commands that keep running. */
function forgetItems({ openItems }: ThreadProjection): void {
  for (const [id, item] of openItems) {
    if (item.type !== "commandExecution" || item.processId === null) openItems.delete(id);
  }
}

function notifyTurnCompleted(turn: Turn, projection: ThreadProjection): void {
  const { threadId } = projection;
  projection.notify("turn/completed", { threadId, turn });
}

function toSeconds(ms: number): number {
  return Math.floor(ms / 1000);
}

/** Converts the error of a turn to v2. */
function toTurnError(msg: ErrorEvent | StreamErrorEvent): TurnError {
  const details = "additional_details" in msg ? msg.additional_details : undefined;
  return {
    message: msg.message,
    codexErrorInfo: toErrorInfo(msg.codex_error_info),
    additionalDetails: details ?? null,
    misalignment: null,
  };
}

/** Converts error info to camelCase, including the fields of its members. */
function toErrorInfo(info: unknown): unknown {
  if (typeof info === "string") return camelCase(info);
  if (!isRecord(info)) return null;
  const entries = Object.entries(info).map(([name, value]) => [
    camelCase(name),
    isRecord(value) ? withCamelCase(value) : value,
  ]);
  return Object.fromEntries(entries);
}

function withCamelCase(record: Record<string, unknown>): Record<string, unknown> {
  const entries = Object.entries(record);
  return Object.fromEntries(entries.map(([name, value]) => [camelCase(name), value]));
}

function camelCase(name: string): string {
  return name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
