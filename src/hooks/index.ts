/** Hooks: programs, tools and functions of the user that follow, change and block what the agent does. */
export { hookEventNames, hookEvents, isHookEvent } from "./events.js";
export type { HookHandler } from "./handler.js";
export type {
  HookCall,
  HookEventName,
  HookFunction,
  HookOutcome,
  HookServices,
  Hooks,
} from "./hooks.js";
export type { HookTrust } from "./identity.js";
export {
  canBlock,
  checkHooks,
  isTrusted,
  type LoadedHook,
  type LoadedHooks,
  loadHooks,
  untrustedBlockers,
} from "./load.js";
export { compileMatcher } from "./matcher.js";
export { createHooks, type HookFunctions, type HooksOptions } from "./session-hooks.js";
