import { isRecord } from "../../protocol/read/record.js";
import type { Turn, TurnError } from "../../protocol/rpc/v2/turn.js";
import type { ErrorEvent, StreamErrorEvent } from "../../protocol/types.js";
import { toEraFields } from "../v2/era-fields.js";
import {
  type EventOf,
  type RunningTurn,
  type Teller,
  type Translators,
  toEraTurn,
} from "./projection.js";

/** Turns: that they begin, what goes wrong in them, and how they end. */
export const turnTranslators: Translators = {
  task_started({ id: submission, turn_id: id = submission }, teller) {
    teller.announced.delete(submission);
    teller.turn = { id, submission, startedAtMs: teller.now(), error: null, lastMessage: null };
    teller.status = { type: "active", activeFlags: [] };
    if (teller.era.turnStarted === "when it begins") tellStarted(runningTurn(teller.turn), teller);
  },
  task_complete({ id, msg }, teller) {
    if (teller.turn === undefined) return endPromised(id, "completed", teller);
    const status = teller.turn.error === null ? "completed" : "failed";
    endTurn(teller.turn, { status, responseId: msg.response_id ?? null }, teller);
  },
  turn_aborted({ id, msg }, teller) {
    if (teller.turn === undefined) return endPromised(id, "interrupted", teller);
    const responseId = msg.response_id ?? null;
    endTurn(teller.turn, { status: "interrupted", responseId }, teller);
  },
  error: tellError,
  stream_error(event, teller) {
    if (teller.turn === undefined) return;
    tellTrouble(toTurnError(event.msg), true, teller.turn.id, teller);
  },
  turn_diff({ msg, id }, teller) {
    const { threadId, turn } = teller;
    teller.tell("turn/diff/updated", { threadId, turnId: turn?.id ?? id, diff: msg.unified_diff });
  },
  plan_update({ msg, id }, teller) {
    const { threadId, turn } = teller;
    teller.tell("turn/plan/updated", {
      threadId,
      turnId: turn?.id ?? id,
      explanation: msg.explanation ?? null,
      plan: msg.plan.map(({ step, status }) => ({
        step,
        status: status === "in_progress" ? "inProgress" : status,
      })),
    });
  },
};

/** Tells that a turn begins. */
export function tellStarted(turn: Turn, teller: Teller): void {
  const { threadId, era } = teller;
  teller.tell("turn/started", { threadId, turn: toEraTurn(turn, era) });
}

/** A turn of which nothing is known but that it was begun. */
export function begunTurn(id: string): Turn {
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

function runningTurn({ id, startedAtMs }: RunningTurn): Turn {
  return { ...begunTurn(id), startedAt: toSeconds(startedAtMs) };
}

/**
 * A mistake fails the turn it happens in, or the one that was to begin.
 *
 * What was said to the thread besides is answered to who said it; what nobody asked for is a warning.
 */
function tellError({ id, msg }: EventOf<"error">, teller: Teller): void {
  const error = toTurnError(msg);
  const { turn, threadId } = teller;
  if (turn?.submission === id) {
    turn.error = error;
    teller.status = { type: "systemError" };
    tellTrouble(error, false, turn.id, teller);
  } else if (teller.announced.delete(id)) {
    tellTrouble(error, false, id, teller);
    tellCompleted({ ...begunTurn(id), status: "failed", error }, teller);
  } else if (id === "") {
    teller.tell("warning", { threadId, message: msg.message });
  }
}

/** A turn that was promised may end without ever having begun. */
function endPromised(id: string, status: Turn["status"], teller: Teller): void {
  if (teller.announced.delete(id)) tellCompleted({ ...begunTurn(id), status }, teller);
}

function tellTrouble(error: TurnError, willRetry: boolean, turnId: string, teller: Teller): void {
  const { threadId, era } = teller;
  teller.tell("error", {
    error: toEraFields(error, era.lacks.TurnError),
    willRetry,
    threadId,
    turnId,
  });
}

function endTurn(
  turn: RunningTurn,
  { status, responseId }: Pick<Turn, "status" | "responseId">,
  teller: Teller,
): void {
  teller.turn = undefined;
  forgetItems(teller);
  teller.clientIds.delete(turn.id);
  if (teller.status.type !== "systemError") teller.status = { type: "idle" };
  const completedAtMs = teller.now();
  const items =
    status === "completed" && turn.lastMessage !== null && teller.era.turnItems === "last message"
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
  tellCompleted(ended, teller);
}

/** Only processes outlive the turn that began them. */
function forgetItems({ open }: Teller): void {
  for (const [id, item] of open) {
    if (item.type !== "commandExecution" || item.processId === null) open.delete(id);
  }
}

function tellCompleted(turn: Turn, teller: Teller): void {
  const { threadId, era } = teller;
  teller.tell("turn/completed", { threadId, turn: toEraTurn(turn, era) });
}

function toSeconds(ms: number): number {
  return Math.floor(ms / 1000);
}

/** What went wrong in a turn, as v2 writes it. */
function toTurnError(msg: ErrorEvent | StreamErrorEvent): TurnError {
  const details = "additional_details" in msg ? msg.additional_details : undefined;
  return {
    message: msg.message,
    codexErrorInfo: toErrorInfo(msg.codex_error_info),
    additionalDetails: details ?? null,
    misalignment: null,
  };
}

/** The words for programs are camelCase here, and those of their members. */
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
  return Object.fromEntries(
    Object.entries(record).map(([name, value]) => [camelCase(name), value]),
  );
}

function camelCase(name: string): string {
  return name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
