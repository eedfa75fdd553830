export type { AppOptions, FirstThread, Reconnection } from "./app/options.js";
export { runTui } from "./app/run.js";
export type { FilledPrompt, LocalModels, SavedPrompt, TuiHost } from "./host.js";
export { ProcessTerminal } from "./screen/process-terminal.js";
export type { ThreadRequest } from "./session/session.js";
