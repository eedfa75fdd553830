export { defineTool, type ToolDefinition } from "./define-tool.js";
export { type ArgumentsOf, type ObjectSchema, type ParameterSchema, parameters } from "./parameters.js";
export { failed, ok, type Tool, type ToolContext, type ToolInput, type ToolOutput } from "./tool.js";
export { updatePlan } from "./update-plan.js";
