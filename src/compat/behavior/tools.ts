/** Which tools the model is offered without being asked for. */
export interface ToolBehavior {
  /**
   * The checklist of the task: when the client or the settings ask for it, or unless they refuse it.
   *
   * Where it is there only if asked for, a call that comes all the same is refused.
   */
  planTool: "if asked" | "only if asked" | "unless refused";
  /**
   * Questions to the user: offered and answered in plan mode, offered always and answered in plan
   * mode, or offered and answered in every mode, if the client can answer them.
   */
  userInputTool: "in plan mode" | "always" | "in every mode";
  /** The web search of the model: when the settings ask for it, or unless they refuse it. */
  webSearchTool: "if asked" | "unless refused";
  /** The values that a parameter takes stand in its schema, not only in its description. */
  enumsInSchemas: boolean;
  /** Known models look at pictures as closely as they ask, and find them on the web. */
  imageDetail: boolean;
  /** What a review has of the other tools: none but commands, or all but the search. */
  reviewTools: "commands" | "all but search";
  /** The model can ask for more permissions, where the settings let it. */
  permissionsTool: boolean;
}

/** As in the versions of autumn 2025. */
export const tools2025: ToolBehavior = {
  planTool: "if asked",
  userInputTool: "in plan mode",
  webSearchTool: "if asked",
  enumsInSchemas: false,
  imageDetail: false,
  reviewTools: "commands",
  permissionsTool: false,
};

/** As in the versions of 2026. */
export const tools2026: ToolBehavior = {
  planTool: "unless refused",
  userInputTool: "always",
  webSearchTool: "unless refused",
  enumsInSchemas: false,
  imageDetail: false,
  reviewTools: "all but search",
  permissionsTool: false,
};
