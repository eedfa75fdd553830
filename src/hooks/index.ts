/** Hooks: programs, tools and functions of the user that follow, change and block what the agent does. */
export type {
  HookCall,
  HookEventName,
  HookFunction,
  HookOutcome,
  HookServices,
  Hooks,
} from "./hooks.js";
