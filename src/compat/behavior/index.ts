import { currentEngine, type EngineBehavior } from "./engine.js";
import { currentEvents, type EventBehavior } from "./events.js";
import { currentExec, type ExecBehavior } from "./exec.js";
import { currentExecJson, type ExecJsonBehavior } from "./exec-json.js";
import { currentMcp, type McpBehavior } from "./mcp.js";
import { currentModel, type ModelBehavior } from "./model.js";
import { currentRpc, type RpcBehavior } from "./rpc.js";
import { currentTools, type ToolBehavior } from "./tools.js";
import { currentV2, type V2Behavior } from "./v2.js";

/** Switches, grouped by the code that reads them. */
export interface Behaviors {
  model: ModelBehavior;
  engine: EngineBehavior;
  exec: ExecBehavior;
  tools: ToolBehavior;
  execJson: ExecJsonBehavior;
  mcp: McpBehavior;
  events: EventBehavior;
  rpc: RpcBehavior;
  v2: V2Behavior;
}

/** Switches of an era that differ from those of its successor. */
export type Delta = { [Group in keyof Behaviors]?: Partial<Behaviors[Group]> };

/** Switches of our newest form. */
export const currentBehaviors: Behaviors = {
  model: currentModel,
  engine: currentEngine,
  exec: currentExec,
  tools: currentTools,
  execJson: currentExecJson,
  mcp: currentMcp,
  events: currentEvents,
  rpc: currentRpc,
  v2: currentV2,
};
