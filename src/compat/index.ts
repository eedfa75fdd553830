/** Eras: the versions of the reference that a surface can be asked to speak like. */
export type { ExecJsonBehavior } from "./behavior/exec-json.js";
export {
  type EngineBehavior,
  type Era,
  type EraName,
  type EventBehavior,
  type ExecBehavior,
  eraNamed,
  eraNames,
  eraOf,
  isSince,
  type McpBehavior,
  type ModelBehavior,
  type RpcBehavior,
  rpcEra,
  type ToolBehavior,
  type V2Behavior,
} from "./era.js";
