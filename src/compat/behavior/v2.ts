/** Switches of v2, the JSON-RPC surface of threads and turns. */
export interface V2Behavior {
  /** Sends `codex/event/*` beside the notifications of threads and turns. */
  legacyEvents: boolean;
  /** Notifications of a thread for clients of the v1 methods: its events, or both families. */
  v1Notifications: "events" | "both";
  /** Notifications include their time (`emittedAtMs`). */
  emittedAt: boolean;
  /** Cursor of lists of threads: the time and the thread, or the time alone. */
  listCursor: "time and thread" | "time";
  /** Sends the token usage of a thread after `thread/resume`. */
  usageOnResume: boolean;
  /** Items in `turn/completed`. */
  completedTurnItems: "none" | "last message";
  /** When `model/list` includes efforts that older clients reject. */
  newEfforts: "always" | "if experimental";
  /** Unset settings in `config/read`: those of a fixed list, or all with their defaults. */
  configView: "known" | "all";
  /** Form of the search tool in `config/read`: a switch, or its settings. */
  searchTool: "switch" | "settings";
  /** Input during a running turn is answered as a separate turn, which never ends. */
  steeringStartsTurn: boolean;
  /** Accepts a message again if the client repeats its id. */
  acceptsDuplicates: boolean;
  /** Response to `turn/interrupt` when no turn is active: an error, or success. */
  idleInterrupt: "refused" | "done";
  /** When `turn/started` is sent: with the response to the caller, or when the turn starts. */
  turnStartedTiming: "with the reply" | "when it begins";
  /** Completes a declined item at once, and again when the turn continues. */
  declinesTwice: boolean;
  /** Sends the output of a patch like that of a command. */
  patchOutputDeltas: boolean;
  /** Sends the state of remote control after `initialize`. */
  remoteControlStatus: boolean;
  /** Rejects experimental methods and params of clients without `capabilities.experimentalApi`. */
  requiresExperimentalApi: boolean;
  /** File search: smart case, and folders among the results. */
  search: { smartCase: boolean; folders: boolean };
  /** `command/exec`: errors for commands that were ended or did not start. */
  commandExec: { endsAreErrors: boolean; failurePrefix: string };
}

/** Our newest form. */
export const currentV2: V2Behavior = {
  legacyEvents: false,
  v1Notifications: "events",
  emittedAt: true,
  listCursor: "time",
  usageOnResume: true,
  completedTurnItems: "last message",
  newEfforts: "if experimental",
  configView: "all",
  searchTool: "settings",
  steeringStartsTurn: false,
  acceptsDuplicates: false,
  idleInterrupt: "done",
  turnStartedTiming: "when it begins",
  declinesTwice: false,
  patchOutputDeltas: false,
  remoteControlStatus: false,
  requiresExperimentalApi: false,
  search: { smartCase: false, folders: true },
  commandExec: { endsAreErrors: false, failurePrefix: "failed to spawn command" },
};
