/** Eras: the versions of the reference that a surface can be asked to speak like. */
export type { EngineBehavior } from "./behavior/engine.js";
export type { EventBehavior } from "./behavior/events.js";
export type { ExecBehavior } from "./behavior/exec.js";
export type { ExecJsonBehavior } from "./behavior/exec-json.js";
export type { McpBehavior } from "./behavior/mcp.js";
export type { ModelBehavior } from "./behavior/model.js";
export type { RpcBehavior } from "./behavior/rpc.js";
export type { ToolBehavior } from "./behavior/tools.js";
export type { V2Behavior } from "./behavior/v2.js";
export { type Era, type EraName, eraNamed, eraNames, eraOf, rpcEra } from "./era.js";
export { eventWireOf, execWireOf, type UnionWire, type Wire, wireOf } from "./wire.js";
