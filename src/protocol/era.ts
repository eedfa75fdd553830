/**
 * What differs from one version of the reference to another, said once.
 *
 * Code reads a named row entry (`era.model.betaHeader`); it never asks which era it is in.
 */
export interface Era {
  name: EraName;
  /** The version of the reference whose behaviour this is, as `User-Agent` and rollouts say it. */
  compatibleWith: string;
  model: ModelDialect;
  /** Whose defaults the settings have, by month. */
  config: "2025-09" | "2025-10" | "2026-02" | "current";
  engine: EngineDialect;
  exec: ExecDialect;
  mcp: McpDialect;
  events: EventDialect;
  rpc: RpcDialect;
}

/** The versions a surface can be asked to speak like; `current` is our own newest form. */
export type EraName = "0.39" | "0.42" | "0.45" | "0.104" | "0.166" | "current";

/** How the model is asked and how its failures are read. */
export interface ModelDialect {
  /** Sends `OpenAI-Beta: responses=experimental`. */
  betaHeader: boolean;
  /** Sends `conversation_id` beside `session_id`. */
  conversationIdHeader: boolean;
  /** Some codes of `response.failed` end the turn at once instead of being retried. */
  finalFailureCodes: boolean;
  /** Waits as long as the `Retry-After` header of an HTTP error says. */
  retryAfterHeader: boolean;
  /** Which wording failures have: that of 2025-09 or that of 2026-02. */
  failureTexts: "2025" | "2026";
  /** A 401 counts as a passing trouble that the request budget covers. */
  retriesUnauthorized: boolean;
  /** How the headers about limits are told: with seconds to wait, or with the time of the reset. */
  rateLimitForm: "2025" | "2026";
  /** Which models are known, and what is assumed of the others. */
  catalogue: "2025-09" | "2025-10" | "2026-02" | "2026-11";
}

/** How the engine works through a task. */
export interface EngineDialect {
  /** Calls of one response that are safe to run together do. */
  parallelCalls: boolean;
  /** A picture that cannot be read is told to the model in words instead of being left out. */
  saysUnreadableImages: boolean;
  /** How the user is told that a broken stream is asked for again. */
  retryNotice: "with cause" | "short";
  /** The user is told when a refused request waits for long before it is made again. */
  tellsWaits: boolean;
  /** How a summary is asked for: by other instructions, or by one more message. */
  summaryRequest: "by instructions" | "by message";
  /** What is left of the user's messages after a summary: one message with all, or each. */
  compactedForm: "bridge" | "messages";
  /** The conversation is summarized by itself when this much of the window is used, in percent. */
  autoCompactPercent: number | undefined;
  /** How a review that the user interrupts ends. */
  interruptedReview: "interrupted" | "review_ended";
  /** Items are recorded as each is complete, so that neither a cut nor a kill loses one. */
  recordsAtOnce: boolean;
  /** The diff of a task is told again with every response, also when it is the same. */
  repeatsTurnDiff: boolean;
  /** The head of a saved prompt says what it is for, and is no part of it. */
  promptFrontMatter: boolean;
  /** Skills are named to the model behind the instructions. */
  listsSkills: boolean;
  /** How the user's and the project's instructions stand in front of the conversation. */
  instructionsForm: "user_instructions" | "agents_md";
  /** The log keeps when tasks began and ended, and with them their bookmarks. */
  logsTasks: boolean;
  /** A conversation that goes on counts its tokens on, instead of from nothing. */
  restoresTokens: boolean;
}

/** How commands and patches are judged, run and told of. */
export interface ExecDialect {
  /** Which command lists and summaries hold: those of 2025-09, 2026-02 or 2026-11. */
  knowledge: "2025" | "2026" | "latest";
  /** Rules files are asked before the lists. */
  rules: boolean;
  /** A command that the user approved, without being asked for more, runs in the sandbox. */
  approvedRunsSandboxed: boolean;
  /** A command that the user let run again without the sandbox is approved for the session by that. */
  remembersRetries: boolean;
  /** A patch outside the writable folders asks for the folder, and says why it asks. */
  asksForRoots: boolean;
  /** How a failure is put down to the sandbox. */
  denialRule: "any-failure" | "telltale-output";
  /** How the model is told of what failed: as a dump of the error, or in plain words. */
  failureForm: "debug" | "short" | "plain";
  /** What begins and ends for the client: each run of a command, or the call with its questions. */
  toldAs: "run" | "call";
  /** How output is cut for the model: by lines and bytes, or in the middle by a limit. */
  outputCut: "lines" | "limit";
  /** When `shell` lets the model ask to leave the sandbox: always, or where the user is asked. */
  escalationOffer: "always" | "on-request";
  /** Which tools start processes that go on: those of 2025, always in a terminal, or of 2026. */
  sessionTools: "2025" | "2026";
}

/** How tools of MCP servers are named and how the model is told of their answers. */
export interface McpDialect {
  /** `server__tool`, `mcp__server__tool`, or the tool inside a namespace of its server. */
  toolNames: "server" | "mcp" | "namespace";
  /** The model can ask for the resources of servers. */
  resourceTools: boolean;
  /** How long a call may take where the config does not say; `Infinity` for no limit. */
  usualCallLimitMs: number;
  /** The model is told why a call failed, not only that it did. */
  saysCauses: boolean;
  /** Content goes to the model as parts: never, when a picture is in it, or always. */
  contentAsParts: "never" | "with pictures" | "always";
  /** The fields of content are written in the order of the alphabet. */
  sortedContent: boolean;
  /** The model is told how long a call took. */
  saysWallTime: boolean;
  /** Each step of a server's start is told; else only that it failed, as an error. */
  tellsStartup: boolean;
}

/** How events are written for clients of the queues. */
export interface EventDialect {
  /** Events that clients of the era were not told of. */
  hidden: ReadonlySet<string>;
  /** `task_complete` and `turn_aborted` say the last response, to come back to. */
  bookmarks: boolean;
  /** `{"type":"add",…}` or `{"add":{…}}`. */
  fileChange: "tagged" | "keyed";
  /** A tool's result as it is, or wrapped as `{"Ok":…}` or `{"Err":…}`. */
  mcpResult: "plain" | "wrapped";
}

/** How JSON-RPC is spoken. */
export interface RpcDialect {
  /** How the params of approval requests are spelled. */
  approvalParams: "camelCase" | "snake_case";
  /** How a request that cannot be understood is refused: in two words, or with the reason. */
  refusal: "bare" | "reasoned";
  /** What is no message at all is answered too. */
  answersMalformed: boolean;
  /** How a resumed conversation is announced beside the answer. */
  resumeNotice: "codex/event" | "sessionConfigured";
  /** Who listens to a conversation that is archived is told that it was shut down. */
  tellsArchived: boolean;
  /** Tools of the MCP server also say the thread, and take it by that name. */
  namesThreads: boolean;
}

const model2025: ModelDialect = {
  betaHeader: true,
  conversationIdHeader: true,
  finalFailureCodes: false,
  retryAfterHeader: true,
  failureTexts: "2025",
  retriesUnauthorized: true,
  rateLimitForm: "2025",
  catalogue: "2025-09",
};

const model2026: ModelDialect = {
  betaHeader: false,
  conversationIdHeader: false,
  finalFailureCodes: true,
  retryAfterHeader: false,
  failureTexts: "2026",
  retriesUnauthorized: false,
  rateLimitForm: "2026",
  catalogue: "2026-02",
};

const engine2025: EngineDialect = {
  parallelCalls: false,
  saysUnreadableImages: false,
  retryNotice: "with cause",
  tellsWaits: false,
  summaryRequest: "by instructions",
  compactedForm: "bridge",
  autoCompactPercent: undefined,
  interruptedReview: "interrupted",
  recordsAtOnce: false,
  repeatsTurnDiff: true,
  promptFrontMatter: false,
  listsSkills: false,
  instructionsForm: "user_instructions",
  logsTasks: false,
  restoresTokens: false,
};

const engine2026: EngineDialect = {
  parallelCalls: true,
  saysUnreadableImages: true,
  retryNotice: "short",
  tellsWaits: false,
  summaryRequest: "by message",
  compactedForm: "messages",
  autoCompactPercent: 90,
  interruptedReview: "interrupted",
  recordsAtOnce: true,
  repeatsTurnDiff: true,
  promptFrontMatter: true,
  listsSkills: true,
  instructionsForm: "agents_md",
  logsTasks: true,
  restoresTokens: true,
};

const exec2025: ExecDialect = {
  knowledge: "2025",
  rules: false,
  approvedRunsSandboxed: false,
  remembersRetries: true,
  asksForRoots: false,
  denialRule: "any-failure",
  failureForm: "debug",
  toldAs: "run",
  outputCut: "lines",
  escalationOffer: "always",
  sessionTools: "2025",
};

const exec2026: ExecDialect = {
  knowledge: "2026",
  rules: true,
  approvedRunsSandboxed: true,
  remembersRetries: false,
  asksForRoots: false,
  denialRule: "telltale-output",
  failureForm: "plain",
  toldAs: "run",
  outputCut: "limit",
  escalationOffer: "always",
  sessionTools: "2026",
};

const mcp2025: McpDialect = {
  toolNames: "server",
  resourceTools: false,
  usualCallLimitMs: Number.POSITIVE_INFINITY,
  saysCauses: false,
  contentAsParts: "never",
  sortedContent: true,
  saysWallTime: false,
  tellsStartup: false,
};

const mcp2026: McpDialect = {
  toolNames: "mcp",
  resourceTools: true,
  usualCallLimitMs: 60_000,
  saysCauses: true,
  contentAsParts: "with pictures",
  sortedContent: false,
  saysWallTime: false,
  tellsStartup: true,
};

const events2025: EventDialect = {
  hidden: new Set(["user_message"]),
  bookmarks: false,
  fileChange: "keyed",
  mcpResult: "wrapped",
};

const events2026: EventDialect = {
  hidden: new Set(),
  bookmarks: false,
  fileChange: "tagged",
  mcpResult: "wrapped",
};

const rpc2025: RpcDialect = {
  approvalParams: "camelCase",
  refusal: "bare",
  answersMalformed: false,
  resumeNotice: "sessionConfigured",
  tellsArchived: true,
  namesThreads: false,
};

const rpcOfMcp: RpcDialect = {
  ...rpc2025,
  approvalParams: "snake_case",
  refusal: "reasoned",
  resumeNotice: "codex/event",
  tellsArchived: false,
};

const rpc2026: RpcDialect = { ...rpc2025, refusal: "reasoned", namesThreads: true };

const eras: Record<EraName, Era> = {
  "0.39": {
    name: "0.39",
    compatibleWith: "0.39.0",
    config: "2025-09",
    model: model2025,
    engine: engine2025,
    exec: { ...exec2025, escalationOffer: "on-request" },
    mcp: mcp2025,
    events: events2025,
    rpc: rpcOfMcp,
  },
  "0.42": {
    name: "0.42",
    compatibleWith: "0.42.0",
    config: "2025-10",
    model: model2025,
    engine: engine2025,
    exec: exec2025,
    mcp: mcp2025,
    events: events2025,
    rpc: rpcOfMcp,
  },
  "0.45": {
    name: "0.45",
    compatibleWith: "0.45.0",
    config: "2025-10",
    model: { ...model2025, catalogue: "2025-10" },
    engine: engine2025,
    exec: { ...exec2025, failureForm: "short", toldAs: "call" },
    mcp: mcp2025,
    events: events2025,
    rpc: rpc2025,
  },
  "0.104": {
    name: "0.104",
    compatibleWith: "0.104.0",
    config: "2026-02",
    model: model2026,
    engine: engine2026,
    exec: exec2026,
    mcp: mcp2026,
    events: events2026,
    rpc: rpc2026,
  },
  "0.166": {
    name: "0.166",
    compatibleWith: "0.166.0",
    config: "2026-02",
    model: { ...model2026, catalogue: "2026-11" },
    engine: engine2026,
    exec: { ...exec2026, knowledge: "latest" },
    mcp: { ...mcp2026, toolNames: "namespace", contentAsParts: "always", saysWallTime: true },
    events: events2026,
    rpc: rpc2026,
  },
  current: {
    name: "current",
    compatibleWith: "0.166.0",
    config: "current",
    model: {
      ...model2025,
      betaHeader: false,
      finalFailureCodes: true,
      retriesUnauthorized: false,
      catalogue: "2026-11",
    },
    engine: {
      ...engine2026,
      retryNotice: "with cause",
      tellsWaits: true,
      interruptedReview: "review_ended",
      repeatsTurnDiff: false,
      instructionsForm: "user_instructions",
    },
    exec: { ...exec2026, asksForRoots: true, outputCut: "lines" },
    mcp: mcp2026,
    events: { ...events2026, bookmarks: true, mcpResult: "plain" },
    rpc: { ...rpc2026, answersMalformed: true },
  },
};

/** The row of an era by its name, or nothing when there is no such era. */
export function eraNamed(name: string): Era | undefined {
  return Object.hasOwn(eras, name) ? eras[name as EraName] : undefined;
}
