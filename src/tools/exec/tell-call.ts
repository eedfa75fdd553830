import type { EventMsg, ExecCommandEndEvent } from "../../protocol/types.js";
import type { ToolContext, ToolOutput } from "../tool.js";
import type { ExecCall } from "./exec-call.js";
import { beginEvent, failureEvent } from "./run-and-tell.js";
import type { ExecServices } from "./services.js";

/** Tells of a call as one thing, whoever is asked meanwhile and however often its command runs. */
export interface CallTelling {
  /** Passes on what happens, without the begin and end of each run. */
  emit(msg: EventMsg): void;
  /** Tells the end: that of the last run, or why the command did not come to one. */
  end(output: ToolOutput): void;
}

/** Tells that a call begins; the client hears of its end when `end` is called. */
export function tellCall(
  call: ExecCall,
  context: ToolContext,
  services: ExecServices,
): CallTelling {
  let last: ExecCommandEndEvent | undefined;
  context.emit(beginEvent(call, context, services));
  return {
    emit(msg) {
      if (msg.type === "exec_command_begin") last = undefined;
      else if (msg.type === "exec_command_end") last = msg;
      else context.emit(msg);
    },
    end(output) {
      const hasRun = last !== undefined && last.exit_code !== -1;
      context.emit(hasRun && last ? last : failureEvent(context.callId, output.text));
    },
  };
}
