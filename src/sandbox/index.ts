export { type DenialRule, type EndedCommand, wasDenied } from "./denied.js";
export type { Launch, LaunchReport, SandboxKind } from "./launch.js";
export type { CommandToConfine, SandboxOptions } from "./options.js";
export { hasNetwork, needsSandbox } from "./policy.js";
export { createSandbox, type Sandbox } from "./sandbox.js";
export { sandboxUnavailable } from "./unavailable.js";
export type { WriteGuard } from "./write-guard.js";
