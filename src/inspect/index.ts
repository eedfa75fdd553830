/** Sits between a client and a server of the app-server protocol, and checks what they send. */
export { type Entry, isInvalid } from "./entry.js";
export { type InspectionState, PageFeed, type PageMessage } from "./feed.js";
export { InspectedConversation, Inspector, type Observer } from "./inspector.js";
export { Placeholders } from "./placeholders.js";
export { Recorder, type TraceEnd } from "./recorder.js";
export { createValueRedactor } from "./redact-value.js";
export { relayBytes, relayMessages } from "./relay.js";
export { type EraSchemas, MessageRules } from "./rules.js";
export {
  forwardSignals,
  type ProcessEnd,
  type ServerProcess,
  startServer,
} from "./server-process.js";
export { TraceSink } from "./sink.js";
export { toTraceJson, toTraceText } from "./trace-text.js";
export { translatableEras } from "./translate.js";
