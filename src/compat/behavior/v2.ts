/** Switches of v2, the JSON-RPC surface of threads and turns. */
export interface V2Behavior {
  /** Sends `codex/event/*` beside the notifications of threads and turns. */
  legacyEvents: boolean;
  /** When `model/list` includes efforts that older clients reject. */
  newEfforts: "always" | "if experimental";
  /** Response to `turn/interrupt` when no turn is active: an error, or success. */
  idleInterrupt: "refused" | "done";
  /** Sends the state of remote control after `initialize`. */
  remoteControlStatus: boolean;
  /** Rejects experimental methods and params of clients without `capabilities.experimentalApi`. */
  requiresExperimentalApi: boolean;
}

/** Our newest form. */
export const currentV2: V2Behavior = {
  legacyEvents: false,
  newEfforts: "if experimental",
  idleInterrupt: "done",
  remoteControlStatus: false,
  requiresExperimentalApi: false,
};
