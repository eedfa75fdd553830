/** Switches of commands and patches: how they are judged, run and reported. */
export interface ExecBehavior {
  /**
   * Lists of safe and dangerous commands, and their summaries: those of 2025-08, 2025-09 (the same
   * with a list of dangerous commands), 2026-02 or 2026-11, or the summaries of 2026-02 with the
   * strictest lists.
   */
  commandKnowledge: "2025-08" | "2025-09" | "2026" | "latest" | "strictest";
  /** Format of a failure for the model: a dump of the error, or plain text. */
  failureFormat: "debug" | "short" | "plain";
  /**
   * Text for the model about commands and patches. 2025-10 has plain lines for models with a freeform
   * patch tool; 2026 truncates at a limit instead of by lines and bytes, has a separate prefix for
   * patches that do not apply, and reports rules that the user accepts.
   */
  outputForm: "2025-09" | "2025-10" | "2026";
  /**
   * Scope of begin and end events: each run; each call of a command with its approvals; or every call,
   * of patches too, with details (source, process, parsed command, status).
   */
  eventGrouping: "run" | "command" | "call";
  /** A command that needs approval begins for the client with the approval request. */
  beginsAtApproval: boolean;
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
  onRpc?: Pick<ExecBehavior, "eventGrouping"> | undefined;
}

/** Our newest form. */
export const currentExec: ExecBehavior = {
  commandKnowledge: "strictest",
  failureFormat: "plain",
  outputForm: "2025-09",
  eventGrouping: "run",
  beginsAtApproval: true,
  sessionTools: "2026",
  sessionPatches: "applied",
  threadVariables: ["CODEX_THREAD_ID", "CODEX_SESSION_ID"],
  onRpc: { eventGrouping: "call" },
};
