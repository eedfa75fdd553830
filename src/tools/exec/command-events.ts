import type { ExecBehavior } from "../../compat/index.js";
import type {
  EventMsg,
  ExecCommandBeginEvent,
  ExecCommandEndEvent,
  ExecCommandSource,
  ParsedCommand,
} from "../../protocol/types.js";
import { toDuration } from "../../protocol/write.js";
import { isHookDecision, type ToolContext, type ToolOutput } from "../tool.js";
import { summarize } from "./knowledge.js";

/** A command as described in events. */
export interface CommandInfo {
  callId: string;
  command: string[];
  cwd: string;
  parsedCmd: ParsedCommand[];
  source: ExecCommandSource;
  /** Session id of a process that may keep running. */
  processId?: string;
}

/** Inputs for the description of a command. */
interface CommandToDescribe extends Pick<CommandInfo, "callId" | "cwd" | "source"> {
  argv: readonly string[];
  processId?: string;
}

/** A command with its summary, for all events about it; it is summed up for the first of them. */
export function describeCommand(
  { argv, ...command }: CommandToDescribe,
  behavior: ExecBehavior,
): CommandInfo {
  let parsed: ParsedCommand[] | undefined;
  return {
    ...command,
    command: [...argv],
    get parsedCmd() {
      parsed ??= summarize(argv, behavior);
      return parsed;
    },
  };
}

/** Returns the `exec_command_begin` event. */
export function beginEvent(
  info: CommandInfo,
  { eventGrouping }: ExecBehavior,
): ExecCommandBeginEvent {
  const isDetailed = eventGrouping === "call";
  const { callId, command, cwd, parsedCmd } = info;
  return {
    type: "exec_command_begin",
    call_id: callId,
    ...(isDetailed && processOf(info)),
    command,
    cwd,
    parsed_cmd: parsedCmd,
    ...(isDetailed && { source: info.source }),
  };
}

/** Result fields of a command in its end event. */
export type CommandEnd = Pick<
  ExecCommandEndEvent,
  "stdout" | "stderr" | "aggregated_output" | "exit_code" | "duration" | "formatted_output"
>;

/** Returns the `exec_command_end` event. */
export function endEvent(
  info: CommandInfo,
  end: CommandEnd,
  { eventGrouping }: ExecBehavior,
  declined = false,
): ExecCommandEndEvent {
  const { callId, command, cwd, parsedCmd, source } = info;
  if (eventGrouping !== "call") return { type: "exec_command_end", call_id: callId, ...end };
  const ended = end.exit_code === 0 ? "completed" : "failed";
  return {
    type: "exec_command_end",
    call_id: callId,
    ...processOf(info),
    command,
    cwd,
    parsed_cmd: parsedCmd,
    source,
    ...end,
    status: declined ? "declined" : ended,
  };
}

/** Result fields of a command without an exit code: its error message. */
export function failedEnd(message: string): CommandEnd {
  return {
    stdout: "",
    stderr: message,
    aggregated_output: message,
    exit_code: -1,
    duration: toDuration(0),
    formatted_output: message,
  };
}

function processOf({ processId }: CommandInfo): { process_id?: string } {
  return processId === undefined ? {} : { process_id: processId };
}

/** Reports a call as one unit, across approvals and retries. */
interface CallReport {
  /** Context for the call; it suppresses the begin and end events of single runs. */
  context: ToolContext;
  /** Emits the end event: of the last run, or with the reason why there was none. */
  end(output: ToolOutput): void;
}

/** Starts to report a call; the caller must call `end`. */
export function reportCall(
  info: CommandInfo,
  context: ToolContext,
  behavior: ExecBehavior,
): CallReport {
  const { emit } = context;
  let last: ExecCommandEndEvent | undefined;
  const beginning = new BeginReport(() => emit(beginEvent(info, behavior)));
  if (!behavior.beginsAtApproval) beginning.emitOnce();
  return {
    context: {
      ...beginning.watching(context),
      emit(msg: EventMsg) {
        if (msg.type === "exec_command_begin") {
          last = undefined;
          beginning.emitOnce();
        } else if (msg.type === "exec_command_end") last = msg;
        else emit(msg);
      },
    },
    end(output) {
      if (beginning.isSilent(output)) return;
      const { text, declined } = output;
      const hasRun = last !== undefined && last.exit_code !== -1;
      if (!beginning.isAsked) beginning.emitOnce();
      emit(hasRun && last ? last : endEvent(info, failedEnd(text), behavior, declined));
    },
  };
}

/** Emits the begin event of a command at most once. */
export class BeginReport {
  readonly #emit: () => void;
  #isEmitted = false;
  #isAsked = false;

  constructor(emit: () => void) {
    this.#emit = emit;
  }

  /** True if the user was asked; the approval request then stands in for the begin event. */
  get isAsked(): boolean {
    return this.#isAsked;
  }

  emitOnce(): void {
    if (this.#isEmitted) return;
    this.#isEmitted = true;
    this.#emit();
  }

  /** Returns true if a hook refused the command before clients knew of it. */
  isSilent(output: ToolOutput | undefined): boolean {
    return output?.isBlocked === true && !this.#isEmitted && !this.#isAsked;
  }

  /** The context with an eye on whether the user is asked. */
  watching(context: ToolContext): ToolContext {
    return {
      ...context,
      askExecApproval: async (request, facts) => {
        const onReview = () => this.emitOnce();
        const decision = await context.askExecApproval(request, { ...facts, onReview });
        // If a hook has decided, no request was sent.
        this.#isAsked ||= !isHookDecision(decision);
        return decision;
      },
    };
  }
}
