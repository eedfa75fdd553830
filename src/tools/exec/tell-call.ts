import type { ExecBehavior } from "../../compat/index.js";
import type { EventMsg, ExecCommandEndEvent } from "../../protocol/types.js";
import type { ToolContext, ToolOutput } from "../tool.js";
import { beginEvent, endEvent, failedEnd, type ToldCommand } from "./told-command.js";

/** Tells of a call as one thing, whoever is asked meanwhile and however often its command runs. */
export interface CallTelling {
  /** What the call is to use: it tells no begin and end of each run. */
  context: ToolContext;
  /** Tells the end: that of the last run, or why the command did not come to one. */
  end(output: ToolOutput): void;
}

/** Tells that a call begins; the client hears of its end when `end` is called. */
export function tellCall(
  told: ToldCommand,
  context: ToolContext,
  dialect: ExecBehavior,
): CallTelling {
  const { emit } = context;
  let last: ExecCommandEndEvent | undefined;
  const beginning = new Beginning(() => emit(beginEvent(told, dialect)));
  if (!dialect.beginsWithQuestion) beginning.tell();
  return {
    context: {
      ...beginning.watching(context),
      emit(msg: EventMsg) {
        if (msg.type === "exec_command_begin") {
          last = undefined;
          beginning.tell();
        } else if (msg.type === "exec_command_end") last = msg;
        else emit(msg);
      },
    },
    end({ text, declined }) {
      const hasRun = last !== undefined && last.exit_code !== -1;
      if (!beginning.isAsked) beginning.tell();
      emit(hasRun && last ? last : endEvent(told, failedEnd(text), dialect, declined));
    },
  };
}

/** Tells once that a command begins. */
export class Beginning {
  readonly #emit: () => void;
  #isTold = false;
  #isAsked = false;

  constructor(emit: () => void) {
    this.#emit = emit;
  }

  /** A question has told it, to clients that hear of it that way. */
  get isAsked(): boolean {
    return this.#isAsked;
  }

  tell(): void {
    if (this.#isTold) return;
    this.#isTold = true;
    this.#emit();
  }

  /** The context with an eye on whether the user is asked. */
  watching(context: ToolContext): ToolContext {
    return {
      ...context,
      askExecApproval: (request) => {
        this.#isAsked = true;
        return context.askExecApproval(request);
      },
    };
  }
}
