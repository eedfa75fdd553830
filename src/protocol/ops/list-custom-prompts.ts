import Type, { type Static } from "typebox";

export const ListCustomPromptsOp = Type.Object(
  { type: Type.Literal("list_custom_prompts") },
  {
    $id: "ListCustomPromptsOp",
    description: "Asks for the user's prompts; answered by `list_custom_prompts_response`.",
  },
);
export interface ListCustomPromptsOp extends Static<typeof ListCustomPromptsOp> {}
