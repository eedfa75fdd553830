/** Switches of commands and patches: how they are judged, run and reported. */
export interface ExecBehavior {
  /**
   * Lists of safe and dangerous commands, and their summaries: those of 2025-09, 2026-02 or
   * 2026-11, or the summaries of 2026-02 with the strictest lists.
   */
  commandKnowledge: "2025" | "2026" | "latest" | "strictest";
  /** Consults rules files before the lists. */
  rulesFiles: boolean;
  /** Adds a message for the model about rules that the user accepts. */
  reportsNewRules: boolean;
  /** Formats outputs as plain lines for models with a freeform patch tool. */
  plainOutputForPatchers: boolean;
  /** Runs an approved command in the sandbox unless it asked for escalation. */
  approvedRunsSandboxed: boolean;
  /** Approving a retry without the sandbox approves the command for the session. */
  retryApprovesSession: boolean;
  /** A patch outside the writable roots requests its root, with a reason. */
  requestsWritableRoot: boolean;
  /** Failures that are attributed to the sandbox. */
  denialRule: "any-failure" | "telltale-output";
  /** Format of a failure for the model: a dump of the error, or plain text. */
  failureFormat: "debug" | "short" | "plain";
  /** Prefix of the text for the model if a patch does not apply. */
  patchRefusal: "error" | "apply_patch verification failed";
  /** Scope of begin and end events of commands: each run, or the call with its approvals. */
  eventGrouping: "run" | "call";
  /** Scope of begin and end events of patches: the application, or the call with its approval. */
  patchEventGrouping: "run" | "call";
  /** A command that needs approval begins for the client with the approval request. */
  beginsAtApproval: boolean;
  /** Events of commands include source, process, parsed command and status. */
  detailedEvents: boolean;
  /** Commands may run without reading the profile of the shell each time. */
  skipsProfile: boolean;
  /** Order of the two streams in one output: in order of arrival, or one after the other. */
  outputOrder: "arrival" | "streams";
  /** Truncation of output for the model: by lines and bytes, or in the middle at a limit. */
  outputTruncation: "lines" | "limit";
  /** When `shell` offers escalation to the model: always, or only under the `on-request` policy. */
  escalationOffer: "always" | "on-request";
  /** Tools that start long-lived processes: those of 2025 (always in a terminal), or of 2026. */
  sessionTools: "2025" | "2026";
  /**
   * Patches in scripts of those tools: run as programs, or applied as file changes and answered
   * with the result of the patch (`framed`: below the header of the output of a session).
   */
  sessionPatches: "run" | "applied" | "framed";
  /** Environment variables that hold the thread id. */
  threadVariables: readonly ("CODEX_THREAD_ID" | "CODEX_SESSION_ID")[];
  /** Overrides for clients of JSON-RPC, which see calls as items of a turn. */
  onRpc?:
    | Partial<Pick<ExecBehavior, "eventGrouping" | "patchEventGrouping" | "detailedEvents">>
    | undefined;
}

/** Our newest form. */
export const currentExec: ExecBehavior = {
  commandKnowledge: "strictest",
  rulesFiles: true,
  reportsNewRules: false,
  plainOutputForPatchers: false,
  approvedRunsSandboxed: true,
  retryApprovesSession: false,
  requestsWritableRoot: true,
  denialRule: "telltale-output",
  failureFormat: "plain",
  patchRefusal: "error",
  eventGrouping: "run",
  patchEventGrouping: "run",
  beginsAtApproval: false,
  detailedEvents: false,
  skipsProfile: true,
  outputOrder: "streams",
  outputTruncation: "lines",
  escalationOffer: "always",
  sessionTools: "2026",
  sessionPatches: "applied",
  threadVariables: ["CODEX_THREAD_ID", "CODEX_SESSION_ID"],
  onRpc: { eventGrouping: "call", patchEventGrouping: "call", detailedEvents: true },
};
