import { isRecord } from "../../../protocol/read/record.js";
import type { TurnError } from "../../../protocol/rpc/v2/turn.js";
import type { ErrorEvent, StreamErrorEvent } from "../../../protocol/types.js";

/** What went wrong in a turn, as v2 writes it. */
export function toTurnError(msg: ErrorEvent | StreamErrorEvent): TurnError {
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
