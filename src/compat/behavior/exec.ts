/** How commands and patches are judged, run and told of. */
export interface ExecBehavior {
  /**
   * Which command lists and summaries hold: those of 2025-09, 2026-02 or 2026-11, or the summaries of
   * 2026-02 with the strictest lists there are.
   */
  commandKnowledge: "2025" | "2026" | "latest" | "strictest";
  /** Rules files are asked before the lists. */
  rulesFiles: boolean;
  /** The model is told of rules that the user agrees to. */
  reportsNewRules: boolean;
  /** Outputs are told in plain lines to models that patch files in their own form. */
  plainOutputForPatchers: boolean;
  /** A command that the user approved, without being asked for more, runs in the sandbox. */
  approvedRunsSandboxed: boolean;
  /** A command that the user let run again without the sandbox is approved for the session by that. */
  retryApprovesSession: boolean;
  /** A patch outside the writable folders asks for the folder, and says why it asks. */
  requestsWritableRoot: boolean;
  /** How a failure is put down to the sandbox. */
  denialRule: "any-failure" | "telltale-output";
  /** How the model is told of what failed: as a dump of the error, or in plain words. */
  failureFormat: "debug" | "short" | "plain";
  /** The words in which the model is told that a patch does not fit. */
  patchRefusal: "error" | "apply_patch verification failed";
  /** What begins and ends for the client: each run of a command, or the call with its questions. */
  eventGrouping: "run" | "call";
  /** The same of a patch: its application, or the call with its question. */
  patchEventGrouping: "run" | "call";
  /** A command that the user is asked about begins for the client with the question itself. */
  beginsAtApproval: boolean;
  /** Events say all of a command: who runs it, in which process, what it does and how it ended. */
  detailedEvents: boolean;
  /** What is told otherwise to clients of JSON-RPC, who see calls as items of a turn. */
  onRpc?: Partial<Pick<ExecBehavior, "eventGrouping" | "patchEventGrouping" | "detailedEvents">>;
  /** Commands need not read the user's start-up files anew each time. */
  skipsProfile: boolean;
  /** How the two streams of a command become one output: as they come, or one after the other. */
  outputOrder: "arrival" | "streams";
  /** How output is cut for the model: by lines and bytes, or in the middle by a limit. */
  outputTruncation: "lines" | "limit";
  /** When `shell` lets the model ask to leave the sandbox: always, or where the user is asked. */
  escalationOffer: "always" | "on-request";
  /** Which tools start processes that go on: those of 2025, always in a terminal, or of 2026. */
  sessionTools: "2025" | "2026";
  /**
   * Patches in the scripts of those tools: run as any other program, or applied as file changes and
   * answered with the result of the patch, in `framed` below the header of a session's output.
   */
  sessionPatches: "run" | "applied" | "framed";
  /** The variables that name the thread to its commands. */
  threadVariables: readonly ("CODEX_THREAD_ID" | "CODEX_SESSION_ID")[];
}

/** As in the versions of autumn 2025. */
export const exec2025: ExecBehavior = {
  commandKnowledge: "2025",
  rulesFiles: false,
  reportsNewRules: false,
  plainOutputForPatchers: false,
  approvedRunsSandboxed: false,
  retryApprovesSession: true,
  requestsWritableRoot: false,
  denialRule: "any-failure",
  failureFormat: "debug",
  patchRefusal: "error",
  eventGrouping: "run",
  patchEventGrouping: "run",
  beginsAtApproval: false,
  detailedEvents: false,
  skipsProfile: false,
  outputOrder: "arrival",
  outputTruncation: "lines",
  escalationOffer: "always",
  sessionTools: "2025",
  sessionPatches: "run",
  threadVariables: [],
};

/** As in the versions of 2026. */
export const exec2026: ExecBehavior = {
  commandKnowledge: "2026",
  rulesFiles: true,
  reportsNewRules: true,
  plainOutputForPatchers: true,
  approvedRunsSandboxed: true,
  retryApprovesSession: false,
  requestsWritableRoot: false,
  denialRule: "telltale-output",
  failureFormat: "plain",
  patchRefusal: "apply_patch verification failed",
  eventGrouping: "call",
  patchEventGrouping: "call",
  beginsAtApproval: false,
  detailedEvents: true,
  skipsProfile: true,
  outputOrder: "streams",
  outputTruncation: "limit",
  escalationOffer: "always",
  sessionTools: "2026",
  sessionPatches: "applied",
  threadVariables: ["CODEX_THREAD_ID"],
};
