import type { OpHandler, OpHandlers } from "./op-handler.js";

/** Lists the commands of the model that are still running. */
const listCommands: OpHandler<"list_background_commands"> = (session, _op, id) => {
  const running = session.parts.tools.background?.list() ?? [];
  const commands = running.map(({ id: processId, callId, command, cwd, startedAtMs }) => ({
    call_id: callId ?? null,
    process_id: String(processId),
    command,
    cwd,
    started_at_ms: startedAtMs,
  }));
  session.emit(id, { type: "background_commands", commands });
};

/** Ends one command, or all of them. The answer precedes the ends of the commands. */
const endCommands: OpHandler<"end_background_commands"> = (session, op, id) => {
  const { background } = session.parts.tools;
  const running = (background?.list() ?? []).map(({ id: processId }) => processId);
  const isWanted = (processId: number) =>
    op.process_id === undefined || op.process_id === String(processId);
  const wanted = running.filter(isWanted);
  const exitCode = op.process_id === undefined ? killedExitCode : stoppedExitCode;
  for (const processId of wanted) background?.end(processId, exitCode);
  session.emit(id, { type: "background_commands_ended", process_ids: wanted.map(String) });
};

/** Stops the clock of calls that wait for commands, while a client asks the user something. */
const holdTimeLimits: OpHandler<"hold_time_limits"> = (session, { held }) => {
  session.parts.tools.background?.hold(held);
};

/** Exit code of a command that was stopped by its id, as clients of the reference know it. */
const stoppedExitCode = -1;

/** Exit code of commands that were stopped all at once: that of SIGKILL. */
const killedExitCode = 137;

/** Handlers of commands that outlive their turn. */
export const backgroundOps = {
  list_background_commands: listCommands,
  end_background_commands: endCommands,
  hold_time_limits: holdTimeLimits,
} satisfies Partial<OpHandlers>;
