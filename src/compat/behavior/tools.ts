/** Which tools the model is offered without being asked for. */
export interface ToolBehavior {
  /**
   * The checklist of the task: when the client or the settings ask for it, or unless they refuse it.
   *
   * Where it is there only if asked for, a call that comes all the same is refused.
   */
  plan: "if asked" | "only if asked" | "unless refused";
  /**
   * Questions to the user: offered and answered in plan mode, offered always and answered in plan
   * mode, or offered and answered in every mode, if the client can answer them.
   */
  userInput: "in plan mode" | "always" | "in every mode";
  /** The web search of the model: when the settings ask for it, or unless they refuse it. */
  webSearch: "if asked" | "unless refused";
  /** The values that a parameter takes stand in its schema, not only in its description. */
  saysValues: boolean;
  /** Known models look at pictures as closely as they ask, and find them on the web. */
  pictures: boolean;
  /** What a review has of the other tools: none but commands, or all but the search. */
  inReview: "commands" | "all but search";
  /** The model can ask for more permissions, where the settings let it. */
  permissions: boolean;
}

/** As in the versions of autumn 2025. */
export const tools2025: ToolBehavior = {
  plan: "if asked",
  userInput: "in plan mode",
  webSearch: "if asked",
  saysValues: false,
  pictures: false,
  inReview: "commands",
  permissions: false,
};

/** As in the versions of 2026. */
export const tools2026: ToolBehavior = {
  plan: "unless refused",
  userInput: "always",
  webSearch: "unless refused",
  saysValues: false,
  pictures: false,
  inReview: "all but search",
  permissions: false,
};
