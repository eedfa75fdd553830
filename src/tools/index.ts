export { builtInTools } from "./built-in.js";
export { withClock } from "./clock.js";
export type { WebSearchForm } from "./define-tool.js";
export {
  type CommandTools,
  defineTool,
  type ToolChoice,
  type ToolDefinition,
} from "./define-tool.js";
export { withDynamicTools } from "./dynamic.js";
export type { ExecServices } from "./exec/services.js";
export { ApprovedCommands, ApprovedPaths } from "./exec/services.js";
export { createUserShell, type UserShell } from "./exec/user-shell.js";
export { createMcpTools, type McpToolParts, type McpTools, withMcpTools } from "./mcp.js";
export { mcpResourceTools } from "./mcp-resources.js";
export { onlyTools } from "./only-tools.js";
export {
  type ArgumentsOf,
  type ObjectSchema,
  type ParameterSchema,
  parameters,
} from "./parameters.js";
export { readArguments } from "./read-arguments.js";
export type { SearchRule } from "./search/tool-search.js";
export {
  type AskedPermissions,
  failed,
  type GoalAccess,
  type HookDecision,
  type NestedCall,
  ok,
  type PermissionsAnswer,
  type Tool,
  type ToolContext,
  type ToolInput,
  type ToolKind,
  type ToolOutput,
  type ToolTurn,
} from "./tool.js";
export { type BoxedTool, createToolBox, type DeferrableSpec, type ToolBox } from "./tool-box.js";
export { updatePlan } from "./update-plan.js";
export { viewImage } from "./view-image.js";
