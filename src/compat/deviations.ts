import type { Delta } from "./behavior/index.js";

/**
 * Our deviations from 0.166, as the values that 0.166 has, with the reason why ours differ.
 *
 * Most follow the specification: the published description of the queues, their events and v1, which
 * is older than 0.166. A client written from it works with `current`; where it is silent, `current`
 * does as 0.166. The value of `current` stands beside its switch; a deviation with one reader is a
 * condition there (`era.since.current`).
 */
export const sinceCurrent: Delta = {
  engine: {
    // The specification has two messages of context, `user_instructions` and `environment_context`,
    // and no message for skills: they follow the instructions, if there are any.
    contextForm: "2026-11",
    skillsSection: "as a message",
    // Items that arrived are recorded at once, so a retry continues behind them; a full window is
    // summarized instead of failing the turn. `stream_error` has a message only: it names the cause.
    failedRequest: "repeat",
    // The specification has no event for a summary.
    compactionEvent: "as an item",
    // Versions until 0.45 read the tag `mode` only, later ones `type`: rollouts of ours have both.
    policyTag: "type",
    // The setting `show_raw_agent_reasoning` decides, and is off by default.
    rawReasoningEvents: true,
    // 0.166 repeats the last count if a request is aborted, and programs that add up counts err.
    tokenCountEvents: "at the end",
    // The plan of a finished turn is shown on every device; 0.166 forgets it.
    recordsPlans: false,
    // The specification has the kind and the images, its overview the elements and mentions.
    userMessageFields: "elements",
    // The specification has the events of a review under its own submission, and no second thread.
    reviewForm: "by thread",
    // Local models and those of other providers are never in the catalogue.
    unknownModelWarning: "before it",
  },
  exec: {
    // A command that any version would ask about is asked about.
    commandKnowledge: "latest",
    // In the specification a command begins after its approval, without details. Over JSON-RPC
    // (`onRpc`) calls are items, as in 0.166.
    eventGrouping: "call",
    onRpc: undefined,
    // Every model gets the exit code and the duration as JSON, and nothing about the user's rules.
    outputForm: "2026",
    // A patch in a script is answered like any other patch.
    sessionPatches: "framed",
  },
  execJson: {
    // The exit code names the cause (docs/exec.md).
    failureExitCode: "one",
    // Ours ends the items of an interrupted turn.
    interruptEvents: false,
    // A check that did not run would otherwise go unnoticed.
    hookFailures: false,
  },
  tools: {
    // The specification has plans and questions in every turn: neither a setting nor a mode is needed.
    planTool: "only if asked",
    userInputTool: "always",
    // The descriptions list the values; detail and search of images are extensions of one provider.
    richSchemas: true,
    // A plan or question of a review would look like one of the conversation that it runs in.
    reviewTools: "all but search",
  },
  mcp: {
    // Namespaces of tools are an extension that other providers reject.
    toolNames: "namespace",
    // In the specification the output of a call is a string.
    resultForm: "timed parts",
    // The specification has no start-up events: there is none without servers.
    startupEventWithoutServers: true,
  },
  model: {
    // Requests of ours suit every provider of the Responses API, and carry no ids of the installation.
    requestForm: "2026-11",
    // The queues have the format of limits that they were published with; JSON-RPC has that of 0.166.
    rateLimitFormat: "2026",
    onRpc: undefined,
    // The sentence of the server says more than a status, and `Retry-After` how long to wait.
    failures: "2026",
  },
  events: {
    // The overview of the specification has `agent_message_content_delta`.
    contentDeltas: false,
    // In the specification events have the id of their submission, and none of the turn or item.
    placed: true,
    // As in the specification.
    fileChange: "tagged with null",
    mcpResult: "wrapped",
  },
  rpc: {
    // JSON-RPC 2.0 requires an error for input that is no message.
    answersMalformed: false,
    // Errors of ours name the position and the remedy, after the text of the parser.
    errorDetail: "parsed",
    // In the specification an unset option is omitted.
    v1Form: "2026",
    // The example of the specification begins with `newConversation`.
    v1RequiresInitialize: true,
  },
  v2: {
    // All of it is supported here, so that no capability is needed to use it.
    requiresExperimentalApi: true,
    // The turn may have ended while the request was on its way; the caller has what it wants.
    idleInterrupt: "refused",
    // Clients with a closed list of efforts reject the whole reply if it has another one.
    newEfforts: "always",
    // There is no remote control to report.
    remoteControlStatus: true,
  },
};
