export type { AccessExplainer, ExplainedAccess } from "./explain.js";
export {
  type GrantedPermissions,
  intersectPermissions,
  noPermissions,
} from "./intersect-permissions.js";
export { type Launch, type LaunchReport, plainLaunch, type SandboxKind } from "./launch.js";
export { realPlaceOf } from "./paths.js";
export type { CommandToConfine, ProgramToIsolate, SandboxOptions } from "./policy.js";
export {
  type EnforcedPolicy,
  enforcedPolicy,
  type Grants,
  hasNetwork,
  needsSandbox,
} from "./policy.js";
export type { ReadGuard } from "./read-guard.js";
export { createSandbox, type Sandbox } from "./sandbox.js";
export { isPossibleRoot } from "./writable-roots.js";
export type { WriteGuard } from "./write-guard.js";
