import Type, { type Static } from "typebox";
import { CustomPrompt } from "../custom-prompt.js";
import { SkillsListEntry } from "../skill.js";

export const ListCustomPromptsResponseEvent = Type.Object(
  {
    type: Type.Literal("list_custom_prompts_response"),
    custom_prompts: Type.Array(CustomPrompt, { description: "All prompts, by name." }),
  },
  { $id: "ListCustomPromptsResponseEvent", description: "Answers `list_custom_prompts`." },
);
export interface ListCustomPromptsResponseEvent
  extends Static<typeof ListCustomPromptsResponseEvent> {}

export const ListSkillsResponseEvent = Type.Object(
  {
    type: Type.Literal("list_skills_response"),
    skills: Type.Array(SkillsListEntry, { description: "The skills of each directory." }),
  },
  { $id: "ListSkillsResponseEvent", description: "Answers `list_skills`." },
);
export interface ListSkillsResponseEvent extends Static<typeof ListSkillsResponseEvent> {}
