export { defineTool, type ToolDefinition } from "./define-tool.js";
export {
  type ArgumentsOf,
  type ObjectSchema,
  type ParameterSchema,
  parameters,
} from "./parameters.js";
export {
  failed,
  ok,
  type Tool,
  type ToolContext,
  type ToolInput,
  type ToolOutput,
  type ToolTurn,
} from "./tool.js";
export { type BoxedTool, createToolBox, type ToolBox } from "./tool-box.js";
export { updatePlan } from "./update-plan.js";
export { viewImage } from "./view-image.js";
