import type { Delta } from "./behavior/index.js";

/**
 * Our deviations from 0.166, as the values that 0.166 has, with the reason why ours differ.
 *
 * A new difference of our own form goes here; the value of `current` stands beside its switch.
 */
export const sinceCurrent: Delta = {
  engine: {
    // Ours adds nothing to the conversation that the user or the project did not write.
    contextForm: "2026-11",
    skillsSection: "by themselves",
    // Ours continues where the reference gives up, and names the cause.
    failedRequest: "repeat",
    // Ours reports a summary as a message, which clients of every version show.
    compactionEvent: "as an item",
    // Rollouts of ours are read by versions with either tag.
    policyTag: "type",
    // Ours sends reasoning in full only to clients that ask for it.
    rawReasoningEvents: true,
    // Ours emits nothing twice.
    tokenCountEvents: "at the end",
    webSearchEvents: "all as known",
    // Ours echoes messages with all their parts.
    userMessageFields: "elements",
    // Ours runs a review in the conversation itself, so that every client can follow it.
    reviewForm: "by thread",
    // Ours accepts any model without comment: the catalogue is not the only list of models.
    unknownModelWarning: "before it",
  },
  exec: {
    // Ours asks whenever any version would ask.
    commandKnowledge: "latest",
    // On the queues ours reports each run; over JSON-RPC (`onRpc`) calls are items.
    beginsAtApproval: true,
    eventGrouping: "call",
    onRpc: undefined,
    // Ours formats outputs and failures alike for all models and tools.
    outputForm: "2026",
    sessionPatches: "framed",
  },
  execJson: {
    // Scripts tell causes apart by the exit code.
    failureExitCode: "one",
    // Ours ends the items of an interrupted turn.
    interruptEvents: false,
  },
  tools: {
    // Ours offers plans and questions to every model and in every mode.
    planTool: "only if asked",
    userInputTool: "always",
    // Ours keeps the schemas of tools alike for all models.
    richSchemas: true,
    // A review reads; it needs commands only.
    reviewTools: "all but search",
  },
  mcp: {
    // Ours names tools in one string and sends text as text, which every provider accepts.
    toolNames: "namespace",
    resultForm: "timed parts",
    // Ours emits no event about servers if there are none.
    startupEventWithoutServers: true,
  },
  model: {
    // Requests of ours suit every provider of the Responses API: no private metadata.
    requestForm: "2026-11",
    // On the queues the program itself is the originator, and limits have their first format.
    clientIsOriginator: true,
    rateLimitFormat: "2026",
    onRpc: undefined,
    // Ours waits as long as the server asks, and quotes the server.
    failures: "2026",
  },
  events: {
    // Ours has one event per fact, with the fields that clients of every version read.
    contentDeltas: false,
    placed: true,
    fileChange: "tagged with null",
    mcpResult: "wrapped",
  },
  rpc: {
    // Errors of ours name the position and the remedy, for input that is no message too.
    answersMalformed: false,
    errorDetail: "parsed",
    // Ours numbers submissions and omits what is unset, as v1 did first.
    v1Form: "2026",
    // Clients written for the first MCP server never send `initialize`.
    v1RequiresInitialize: true,
  },
  v2: {
    // Nothing of ours is locked behind a capability.
    requiresExperimentalApi: true,
    // Interrupting an idle thread achieves what the caller wants.
    idleInterrupt: "refused",
    // Older clients reject models with efforts they do not know.
    newEfforts: "always",
    // Ours has no remote control.
    remoteControlStatus: true,
  },
};
