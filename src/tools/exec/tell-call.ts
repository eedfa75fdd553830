import type { ExecDialect } from "../../protocol/era.js";
import type { EventMsg, ExecCommandEndEvent } from "../../protocol/types.js";
import type { ToolContext, ToolOutput } from "../tool.js";
import { beginEvent, endEvent, failedEnd, type ToldCommand } from "./told-command.js";

/** Tells of a call as one thing, whoever is asked meanwhile and however often its command runs. */
export interface CallTelling {
  /** Passes on what happens, without the begin and end of each run. */
  emit(msg: EventMsg): void;
  /** Tells the end: that of the last run, or why the command did not come to one. */
  end(output: ToolOutput): void;
}

/** Tells that a call begins; the client hears of its end when `end` is called. */
export function tellCall(
  told: ToldCommand,
  { emit }: Pick<ToolContext, "emit">,
  dialect: ExecDialect,
): CallTelling {
  let last: ExecCommandEndEvent | undefined;
  emit(beginEvent(told, dialect));
  return {
    emit(msg) {
      if (msg.type === "exec_command_begin") last = undefined;
      else if (msg.type === "exec_command_end") last = msg;
      else emit(msg);
    },
    end({ text, declined }) {
      const hasRun = last !== undefined && last.exit_code !== -1;
      emit(hasRun && last ? last : endEvent(told, failedEnd(text), dialect, declined));
    },
  };
}
