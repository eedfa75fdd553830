import { RequestError, type StopReason } from "@agentclientprotocol/sdk";
import { isRecord } from "../../protocol/read/check.js";
import type { Turn } from "../../protocol/rpc/v2/turn.js";
import { loginRequired } from "./errors.js";

/** Returns the reason why a turn ended; throws its error if it failed. */
export function stopReasonOf({ status, error }: Turn, isCancelled: boolean): StopReason {
  if (isCancelled || status === "interrupted") return "cancelled";
  if (status !== "failed" || error === null) return "end_turn";
  const { codexErrorInfo: info, message, additionalDetails } = error;
  const code = isRecord(info) ? Object.keys(info)[0] : info;
  if (code === "contextWindowExceeded") return "max_tokens";
  if (code === "unauthorized") throw loginRequired();
  throw new RequestError(-32603, message, {
    ...(typeof code === "string" ? { code } : {}),
    ...(additionalDetails === null ? {} : { details: additionalDetails }),
  });
}
