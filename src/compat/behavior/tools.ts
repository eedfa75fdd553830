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
  /** Schemas list accepted values, and known models choose the detail of images and find some on the web. */
  richSchemas: boolean;
  /** Tools of a review besides its own. */
  reviewTools: "commands" | "all but search";
}

/** Our newest form. */
export const currentTools: ToolBehavior = {
  planTool: "unless refused",
  userInputTool: "in every mode",
  richSchemas: false,
  reviewTools: "commands",
};
