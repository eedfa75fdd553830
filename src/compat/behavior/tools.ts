/** Switches of the tools that the model is offered by default. */
export interface ToolBehavior {
  /**
   * The plan tool: if the client or the settings ask for it, or unless they refuse it. With
   * `only if asked` a call that was not offered is rejected.
   */
  planTool: "if asked" | "only if asked" | "unless refused";
  /**
   * Questions to the user: offered and answered in plan mode, offered always and answered in plan
   * mode, or offered and answered in every mode, if the client can answer them.
   */
  userInputTool: "in plan mode" | "always" | "in every mode";
  /** Web search of the model: if the settings ask for it, or unless they refuse it. */
  webSearchTool: "if asked" | "unless refused";
  /** Lists accepted values in the schema of a parameter, not only in its description. */
  enumsInSchemas: boolean;
  /** Known models choose the detail of images, and find images on the web. */
  imageDetail: boolean;
  /** Tools of a review besides its own. */
  reviewTools: "commands" | "all but search";
  /** The model can request permissions, if the settings allow it. */
  permissionsTool: boolean;
}

/** Our newest form. */
export const currentTools: ToolBehavior = {
  planTool: "unless refused",
  userInputTool: "in every mode",
  webSearchTool: "unless refused",
  enumsInSchemas: false,
  imageDetail: false,
  reviewTools: "commands",
  permissionsTool: true,
};
